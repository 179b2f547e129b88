import { currentTraceContext } from '../trace-context.ts';

export interface EndpointOptions {
  /** The base (`https://…/v1`) or the whole address, ending in `path`. */
  readonly url: string;
  /** What the endpoint's address ends in, such as `/embeddings`. */
  readonly path: string;
  /** Sent as a bearer token; empty: no such header. */
  readonly apiKey: string;
  /** A longer answer is a fault. */
  readonly answerBytesMax: number;
  readonly fetch?: FetchLike;
}

export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** An endpoint answered, and refused. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** One address of an OpenAI-compatible server that takes JSON and answers JSON. */
export class Endpoint {
  /** Host and path, without what might be secret: names the endpoint in tags. */
  readonly place: string;
  readonly #options: EndpointOptions;
  readonly #url: string;

  constructor(options: EndpointOptions) {
    this.#options = options;
    const url = new URL(options.url);
    const path = url.pathname.replace(/\/+$/, '');
    url.pathname = path.endsWith(options.path) ? path : `${path}${options.path}`;
    this.#url = url.href;
    this.place = `${url.host}${url.pathname}`;
  }

  /**
   * The parsed answer. Rejects with a `StatusError` for anything but a success (a redirect is never
   * followed: it could lead into the private network), and with some other error when nothing
   * usable comes back or `signal` aborts.
   */
  async post(body: unknown, signal: AbortSignal): Promise<unknown> {
    const { apiKey, answerBytesMax, fetch = globalThis.fetch } = this.#options;
    const headers = {
      ...currentTraceContext()?.headers,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: apiKey === '' ? headers : { ...headers, authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new StatusError(response.status);
    }
    return parseAnswer(await readText(response, answerBytesMax));
  }

  /** What to tell the operator about an error that came from here: never the key. */
  reason(error: unknown): string {
    const { apiKey } = this.#options;
    return apiKey === '' ? String(error) : String(error).replaceAll(apiKey, '[key]');
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readText(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  for await (const chunk of response.body) {
    byteCount += chunk.byteLength;
    if (byteCount > bytesMax) throw new Error(`more than ${bytesMax} bytes of answer`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The parser's own message would quote the answer. */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('an answer that is no JSON');
  }
}
