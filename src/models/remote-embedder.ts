import { AppError } from '../domain/errors.ts';
import { Breaker } from './breaker.ts';
import type { Embedder } from './embedder.ts';
import { Endpoint, type FetchLike, isRecord } from './endpoint.ts';

/** Texts per request: the limit of the strictest common server. */
const BATCH_MAX = 64;
const TIMEOUT_MS = 10_000;
/** A batch of 4,096 dimensions in decimal is about 6 MB. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** Suggested wait for a caller refused while another call probes the endpoint. */
const PROBE_WAIT_MS = 1000;

export interface RemoteEmbedderOptions {
  /** The base URL (`https://…/v1`) or the full URL, which ends in `/embeddings`. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; if empty, no header is sent. */
  readonly apiKey: string;
  /** For each request of up to 64 texts. */
  readonly timeoutMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly fetch?: FetchLike;
}

/**
 * An embedder behind any endpoint that is compatible with OpenAI's `/embeddings`. Any failure rejects
 * with `unavailable`; its cause never contains the key. After five failures in a row, calls are refused
 * for 30 seconds and then admitted one at a time.
 */
export function openRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  return new RemoteEmbedder(options);
}

class RemoteEmbedder implements Embedder {
  readonly tag: string;
  readonly cosineScale = null;
  readonly #endpoint: Endpoint;
  readonly #breaker: Breaker;
  readonly #model: string;
  readonly #timeoutMs: number;
  #dimensions: number | null = null;

  constructor({ model, now, timeoutMs = TIMEOUT_MS, ...endpoint }: RemoteEmbedderOptions) {
    this.#endpoint = new Endpoint({
      ...endpoint,
      path: '/embeddings',
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    this.#breaker = new Breaker(now);
    this.#model = model;
    this.#timeoutMs = timeoutMs;
    this.tag = `${model}@${this.#endpoint.place}`;
  }

  async embed(
    texts: readonly string[],
    _purpose: 'query' | 'offering',
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH_MAX) {
      signal.throwIfAborted();
      vectors.push(...(await this.#embedBatch(texts.slice(start, start + BATCH_MAX), signal)));
    }
    return vectors;
  }

  async close(): Promise<void> {}

  async #embedBatch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const end = this.#breaker.enter();
    if (end === null) {
      throw new AppError(
        'unavailable',
        'The embedding endpoint failed repeatedly. Calls are paused for now.',
        { retryAfterMs: this.#breaker.restMs || PROBE_WAIT_MS },
      );
    }
    try {
      const body = { model: this.#model, input: texts, encoding_format: 'float' };
      const patience = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
      const vectors = readVectors(await this.#endpoint.post(body, patience), texts.length);
      this.#checkDimensions(vectors[0]!.length);
      end('answered');
      return vectors;
    } catch (error) {
      end(signal.aborted ? 'abandoned' : 'failed');
      signal.throwIfAborted();
      const cause = this.#endpoint.reason(error);
      throw new AppError('unavailable', 'The embedding endpoint cannot answer.', { cause });
    }
  }

  /** Refuses a model that changed under the same name: vectors of different lengths cannot be compared. */
  #checkDimensions(length: number): void {
    this.#dimensions ??= length;
    if (length !== this.#dimensions) {
      throw new Error(`vectors of ${length} numbers after vectors of ${this.#dimensions}`);
    }
  }
}

/** Reads `{ data: [{ index, embedding }] }` as unit vectors in order of `index`. Throws on any other shape. */
function readVectors(answer: unknown, count: number): Float32Array[] {
  const data = isRecord(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data) || data.length !== count) throw new Error(`not ${count} vectors`);
  const vectors: Float32Array[] = [];
  for (const item of data) {
    const index: unknown = isRecord(item) ? item['index'] : undefined;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw new Error('a vector without a valid index');
    }
    if (vectors[index] !== undefined) throw new Error(`two vectors with index ${index}`);
    vectors[index] = unitVector(item['embedding']);
  }
  if (vectors.some((vector) => vector.length !== vectors[0]!.length)) {
    throw new Error('vectors of different lengths');
  }
  return vectors;
}

function unitVector(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0)
    throw new Error('an embedding that is not a list');
  if (!numbers.every((number) => typeof number === 'number' && Number.isFinite(number))) {
    throw new Error('an embedding with a value that is not a finite number');
  }
  const length = Math.hypot(...numbers);
  if (length === 0 || !Number.isFinite(length))
    throw new Error('an embedding whose norm is zero or infinite');
  return Float32Array.from(numbers, (number: number) => number / length);
}
