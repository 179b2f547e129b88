import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { MessageId, Params } from './messages.ts';

/** The response of the SDK's server; null if the client has cancelled the request. */
export type Answer = { readonly result: object } | { readonly error: SdkError } | null;

/**
 * A JSON-RPC error from the SDK. `data` is ours, or absent if the SDK itself refused the request.
 */
export interface SdkError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

interface Waiting {
  readonly clientId: MessageId;
  readonly resolve: (answer: Answer) => void;
}

/** The error for a request that the SDK refused without a response. */
const REFUSED: SdkError = { code: -32602, message: 'Invalid params' };

/**
 * An in-process transport: a call passes one request to the SDK's server and returns a promise of
 * its response. Requests carry our own ids, because clients may repeat theirs within a batch.
 */
export class Connection implements Transport {
  onmessage?: Transport['onmessage'];
  onerror?: Transport['onerror'];
  onclose?: Transport['onclose'];
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #delivering: number | null = null;

  constructor(server: Server) {
    // The SDK reports here what it does not recognize as a request, and sends no response.
    server.onerror = () => {
      if (this.#delivering !== null) this.#settle(this.#delivering, { error: REFUSED });
    };
    // The callbacks are set when this call returns. The promise waits only for the transport to
    // start.
    void server.connect(this);
  }

  ask(clientId: MessageId, method: string, params: Params): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, { clientId, resolve });
      this.#delivering = id;
      this.onmessage?.({ jsonrpc: '2.0', id, method, params });
      this.#delivering = null;
    });
  }

  /** Cancels the client's request with that id, if it is still being answered. */
  cancel(clientId: MessageId): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.clientId !== clientId) continue;
      const method = 'notifications/cancelled';
      this.onmessage?.({ jsonrpc: '2.0', method, params: { requestId: id } });
      this.#settle(id, null);
    }
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if ('result' in message) this.#settle(message.id, { result: message.result });
    else if ('error' in message) this.#settle(message.id, { error: message.error });
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #settle(id: unknown, answer: Answer): void {
    const waiting = this.#waiting.get(id as number);
    this.#waiting.delete(id as number);
    waiting?.resolve(answer);
  }
}
