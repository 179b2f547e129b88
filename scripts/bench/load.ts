import type { Socket } from 'bun';

/**
 * Sends the questions in order over a number of connections. Each connection waits for its
 * response.
 */
export interface Load {
  readonly port: number;
  /** One complete request per question. */
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  /** Duration of the load, in which one request is sent at least; null to send each once. */
  readonly seconds: number | null;
  /**
   * Requests a second, sent on schedule whether or not earlier ones are answered. A latency then counts
   * from when the request was due, so that a stall counts for each request that it delays. The timers
   * of the generator add up to a millisecond. By default, each connection sends a request as soon as it has the
   * response to the previous one.
   */
  readonly scheduledPerSecond?: number;
  /** Expected status of every response; 200 by default. */
  readonly status?: number;
  /** Receives the body of each response and the index of its request. */
  readonly onBody?: (body: string, request: number) => void;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Mean size of a body in bytes. */
  readonly bodyBytes: number;
  /** Cores that this process used. Near 1, the load generator itself was the bottleneck. */
  readonly generatorCores: number;
}

const HEADER_END = '\r\n\r\n';
const STATUS_OFFSET = 'HTTP/1.1 '.length;

/** The requests for the questions. Each question is appended to `path`. */
export function searchRequests(
  questions: readonly string[],
  { path, apiKey = '' }: { path: string; apiKey?: string },
): Uint8Array[] {
  return questions.map((question) => {
    const line = `GET ${path}${encodeURIComponent(question)} HTTP/1.1`;
    return Buffer.from(`${line}\r\nHost: 127.0.0.1\r\nX-API-Key: ${apiKey}\r\n\r\n`);
  });
}

/**
 * Loads a server on this machine. It has its own client, because general clients cost more than a
 * bare route: this one reads only the status and length of a response. Throws if a response has
 * another status or no known length.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let [next, bodyBytes] = [0, 0];
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const endMs = load.seconds === null ? null : startedMs + load.seconds * 1000;
  const { scheduledPerSecond } = load;
  const takeRequest = (): Turn | null => {
    const nowMs = performance.now();
    const dueMs =
      scheduledPerSecond === undefined ? nowMs : startedMs + (next / scheduledPerSecond) * 1000;
    // One request at least, however short the load is.
    const isOver = endMs === null ? next >= load.requests.length : next > 0 && dueMs >= endMs;
    return isOver ? null : { request: next++ % load.requests.length, dueMs };
  };
  const onAnswer = (latencyMs: number, length: number) => {
    latencies.push(latencyMs);
    bodyBytes += length;
  };
  await Promise.all(
    Array.from({ length: load.connections }, () => drive(load, { takeRequest, onAnswer })),
  );
  const elapsedMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(startedCpu);
  latencies.sort((a, b) => a - b);
  return {
    answers: latencies.length,
    perSecond: (latencies.length / elapsedMs) * 1000,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
    bodyBytes: bodyBytes / latencies.length,
    generatorCores: (user + system) / 1000 / elapsedMs,
  };
}

interface Turn {
  readonly request: number;
  readonly dueMs: number;
}

interface Driver {
  takeRequest(): Turn | null;
  onAnswer(latencyMs: number, length: number): void;
}

/** One connection, open until there are no questions left. */
function drive({ port, requests, onBody, status = 200 }: Load, driver: Driver): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader({ keepsBody: onBody !== undefined, status });
    let turn: Turn | null = null;
    const ask = (socket: Socket) => {
      turn = driver.takeRequest();
      if (turn === null) {
        resolve();
        socket.end();
        return;
      }
      const { request, dueMs } = turn;
      const waitMs = dueMs - performance.now();
      if (waitMs <= 0) socket.write(requests[request]!);
      else setTimeout(() => socket.write(requests[request]!), waitMs);
    };
    Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open: ask,
        data(socket, bytes) {
          try {
            if (!reader.take(bytes)) return;
          } catch (error) {
            reject(error);
            socket.end();
            return;
          }
          driver.onAnswer(performance.now() - turn!.dueMs, reader.length);
          onBody?.(reader.body(), turn!.request);
          ask(socket);
        },
        close: () => reject(new Error('The server closed a connection.')),
        error: (_, error) => reject(error),
      },
    }).catch(reject);
  });
}

/** Finds the ends of consecutive responses on a connection. */
class AnswerReader {
  readonly #keepsBody: boolean;
  readonly #status: string;
  /** The start of a response whose header is incomplete. */
  #head: Buffer | null = null;
  #missing = 0;
  #parts: Uint8Array[] = [];
  /** Length of the current or the last body. */
  length = 0;

  constructor({ keepsBody, status }: { keepsBody: boolean; status: number }) {
    this.#keepsBody = keepsBody;
    this.#status = String(status);
  }

  /** Whether these bytes complete the response. */
  take(bytes: Uint8Array): boolean {
    if (this.#missing > 0) return this.#takeBody(bytes);
    const received = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const head = this.#head === null ? received : Buffer.concat([this.#head, received]);
    const end = head.indexOf(HEADER_END);
    // The socket reuses its buffer, so an incomplete header must be copied.
    this.#head = end < 0 ? Buffer.from(head) : null;
    if (end < 0) return false;
    const text = head.toString('latin1', 0, end + 2);
    if (text.slice(STATUS_OFFSET, STATUS_OFFSET + 3) !== this.#status)
      throw new Error(`A response is not ${this.#status}: ${head.toString('utf8', 0, 600)}`);
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(text)?.[1];
    if (length === undefined) throw new Error(`A response has no length: ${text}`);
    this.length = this.#missing = Number(length);
    this.#parts = [];
    return this.#takeBody(head.subarray(end + HEADER_END.length));
  }

  body(): string {
    return Buffer.concat(this.#parts).toString();
  }

  #takeBody(bytes: Uint8Array): boolean {
    this.#missing -= bytes.length;
    if (this.#keepsBody) this.#parts.push(Uint8Array.from(bytes));
    return this.#missing === 0;
  }
}
