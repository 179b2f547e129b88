import type { UpkeepServices } from '../operations/upkeep/upkeep-services.ts';

/** A route of the operator's listener. */
export interface OperatorRoute {
  readonly method: 'GET' | 'POST';
  /** Matches with and without a trailing slash. */
  readonly path: string;
  handle(visit: OperatorVisit): Promise<Response> | Response;
}

export interface OperatorVisit {
  readonly services: UpkeepServices;
  readonly request: Request;
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** A response that no cache may store. */
export function answer(body: string, contentType: string): Response {
  return new Response(body, { headers: { ...HEADERS, 'content-type': contentType } });
}

export function problem(status: number, detail: string): Response {
  return new Response(JSON.stringify({ status, detail }), {
    status,
    headers: { ...HEADERS, 'content-type': 'application/problem+json; charset=utf-8' },
  });
}
