/** Maximum bytes queued for a client that does not read. Beyond it, the client is dropped. */
const WAITING_BYTES_MAX = 256 * 1024;

const ENCODER = new TextEncoder();

/** A server-sent event (WHATWG HTML, server-sent events). `data` is one line. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

export function eventText({ event, id, data }: StreamEvent): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}

/** A stream of events to one client. Either side can end it. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly #onEnd: () => void;

  /** Calls `onEnd` once, whichever side ends the stream. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES_MAX }),
    );
  }

  /** Returns false if the client is gone. Drops a client that does not read. */
  send(event: StreamEvent): boolean {
    return this.#write(eventText(event));
  }

  /** Sends a keep-alive comment, which clients ignore. */
  comment(text: string): boolean {
    return this.#write(`: ${text}\n\n`);
  }

  close(): void {
    const controller = this.#controller;
    this.#end();
    controller?.close();
  }

  #write(text: string): boolean {
    const controller = this.#controller;
    if (controller === null) return false;
    const bytes = ENCODER.encode(text);
    // An empty queue accepts any event, because a single event may exceed the limit.
    const waiting = WAITING_BYTES_MAX - (controller.desiredSize ?? 0);
    if (waiting > 0 && waiting + bytes.byteLength > WAITING_BYTES_MAX) {
      this.#end();
      controller.error(new Error('The client does not read.'));
      return false;
    }
    controller.enqueue(bytes);
    return true;
  }

  #end(): void {
    if (this.#controller === null) return;
    this.#controller = null;
    this.#onEnd();
  }
}
