import { currentTraceContext } from '../trace-context.ts';

export interface EndpointOptions {
  /** The base URL (`https://…/v1`) or the full URL, which ends in `path`. */
  readonly url: string;
  /** The last part of the endpoint's URL, such as `/embeddings`. */
  readonly path: string;
  /** Sent as a bearer token; if empty, no header is sent. */
  readonly apiKey: string;
  /** A longer answer is an error. */
  readonly answerBytesMax: number;
  readonly fetch?: FetchLike;
}

export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** The endpoint answered with an error status. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** One JSON endpoint of an OpenAI-compatible server. */
export class Endpoint {
  /** Host and path, without anything that might be secret; identifies the endpoint in tags. */
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
   * Returns the parsed answer. Rejects with a `StatusError` for any status but a success. Redirects are
   * not followed, because they could lead into a private network. Rejects with another error if the
   * answer is unusable or `signal` aborts.
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

  /** Describes an error of this endpoint for operators. Never contains the key. */
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
    if (byteCount > bytesMax) throw new Error(`an answer of more than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Replaces the parser's own message, which would quote the answer. */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('an answer that is not JSON');
  }
}
