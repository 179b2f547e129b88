/** Bytes that may wait for a client that does not read: then it is dropped. */
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

/** A stream of events to one client, which ends when either side ends it. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  readonly #onEnd: () => void;

  /** `onEnd` is called once, whoever ends it. */
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

  /** False when the client is gone; one that does not read is made to go. */
  send(event: StreamEvent): boolean {
    return this.#write(eventText(event));
  }

  /** A sign of life, which no client shows. */
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
    // An empty queue takes any event: one may be larger than all that may wait.
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
