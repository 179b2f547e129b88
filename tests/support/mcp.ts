import {
  Client as NewerClient,
  SSEClientTransport as NewerEvents,
  StreamableHTTPClientTransport as NewerHttp,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Service } from './service.ts';

type Fetch = Service['fetch'];

/** A service's `fetch` for clients that need a full URL. */
export function fetchOf(
  fetch: Fetch,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return fetch(pathname + search, init);
  };
}

/** The SDK's client over Streamable HTTP. */
export async function connectMcp(fetch: Fetch, path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), {
    fetch: fetchOf(fetch),
    // Faster than a client outside tests would retry.
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 50,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 100,
    },
  });
  await client.connect(transport as Transport);
  return client;
}

/** The SDK's client over the HTTP+SSE transport of 2024. */
export async function connectOverEvents(fetch: Fetch, path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const own = fetchOf(fetch);
  const transport = new SSEClientTransport(new URL(`http://localhost${path}`), {
    fetch: own,
    eventSourceInit: { fetch: (url, init) => own(url, init as RequestInit) },
  });
  await client.connect(transport as Transport);
  return client;
}

/** The client that follows the SDK's, which asks `server/discover` first and falls back to `initialize`. */
export async function connectNewer(
  fetch: Fetch,
  { path, transport }: { path: string; transport: 'http' | 'events' },
): Promise<NewerClient> {
  const own = fetchOf(fetch);
  const url = new URL(`http://localhost${path}`);
  const client = new NewerClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(
    transport === 'http'
      ? new NewerHttp(url, { fetch: own })
      : new NewerEvents(url, {
          fetch: own,
          eventSourceInit: { fetch: (address, init) => own(address, init as RequestInit) },
        }),
  );
  return client;
}

export interface RpcAnswer {
  readonly jsonrpc: string;
  readonly id: string | number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

export function post(
  fetch: Fetch,
  message: unknown,
  { path = '/mcp', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

/** One request, whose answer is well-formed JSON-RPC. */
export async function ask(
  fetch: Fetch,
  method: string,
  params?: object,
): Promise<Required<Pick<RpcAnswer, 'result'>> & RpcAnswer> {
  const response = await post(fetch, { jsonrpc: '2.0', id: 1, method, params });
  return (await response.json()) as Required<Pick<RpcAnswer, 'result'>> & RpcAnswer;
}

export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export async function callTool(fetch: Fetch, name: string, args: object = {}): Promise<ToolAnswer> {
  const { result } = await ask(fetch, 'tools/call', { name, arguments: args });
  return result as unknown as ToolAnswer;
}

export function textOf({ content }: ToolAnswer): string {
  return content.map(({ text }) => text).join('\n');
}

/** Events and comments of a stream, as they arrive. */
export class StreamReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = '';

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
  }

  /** The next block; null when the stream has ended. */
  async next(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { value, done } = await this.#reader.read();
      if (done) return null;
      this.#text += new TextDecoder().decode(value);
    }
  }

  /** The next block that is an event. */
  async nextEvent(): Promise<{ event: string; id: string; data: string } | null> {
    for (;;) {
      const block = await this.next();
      if (block === null) return null;
      if (block.startsWith(':')) continue;
      const fields = Object.fromEntries(
        block
          .split('\n')
          .map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      );
      return fields as { event: string; id: string; data: string };
    }
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}
