import type { UpkeepServices } from '../operations/upkeep/upkeep-services.ts';

/** One address of the operator's listener. */
export interface OperatorRoute {
  readonly method: 'GET' | 'POST';
  /** Both with and without its trailing slash it answers. */
  readonly path: string;
  handle(visit: OperatorVisit): Promise<Response> | Response;
}

export interface OperatorVisit {
  readonly services: UpkeepServices;
  readonly request: Request;
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** An answer that is kept nowhere. */
export function answer(body: string, contentType: string): Response {
  return new Response(body, { headers: { ...HEADERS, 'content-type': contentType } });
}

export function problem(status: number, detail: string): Response {
  return new Response(JSON.stringify({ status, detail }), {
    status,
    headers: { ...HEADERS, 'content-type': 'application/problem+json; charset=utf-8' },
  });
}
