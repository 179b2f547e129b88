/**
 * The worker thread that computes embeddings. It is a separate entry point, because a worker shares
 * no code with the thread that starts it.
 *
 * It looks for messages after each run of the model, so that a query waits for at most one run. The thread
 * that asks is not involved between the runs of a request.
 */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../domain/errors.ts';
import { lowerThreadPriority } from '../thread-priority.ts';
import { type Encoder, openEncoder } from './encoder.ts';
import type { ModelFiles } from './model-files.ts';

export type ToWorker =
  | ({ readonly kind: 'start' } & Start)
  | ({ readonly kind: 'encode' } & Request)
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'stop' };

export interface Start {
  readonly files: ModelFiles;
  /** A folder with another model than the built-in one. */
  readonly folder: string | null;
  readonly threads: number;
  /** Lets the threads that answer requests go first, where the system can do so for one thread. */
  readonly yieldsToOthers: boolean;
}

interface Request {
  readonly id: number;
  /** At least one. */
  readonly texts: readonly string[];
  readonly purpose: 'query' | 'offering';
}

/** One answer to each request that is not cancelled, or `broken` if the worker can no longer answer. */
export type FromWorker =
  | { readonly kind: 'started'; readonly tag: string }
  | { readonly kind: 'encoded'; readonly id: number; readonly vectors: Vector[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'stopped' };

/** Gets a tenth of the time that a thread of usual priority gets beside it. Alone it loses nothing. */
const BACKGROUND_NICENESS = 10;

type Vector = Float32Array<ArrayBuffer>;

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

interface Waiting extends Request {
  /** By the place of their text, as far as the texts were read. */
  readonly vectors: Vector[];
  /** Null before the first run of the model. */
  runs: ReturnType<Encoder['encode']> | null;
}

const scope = globalThis as unknown as WorkerScope;
/** By id, oldest first. */
const waiting = { query: new Map<number, Waiting>(), offering: new Map<number, Waiting>() };
let encoder: Encoder | null = null;
let isWorking = false;

scope.onmessage = ({ data }) => void answer(data);

async function answer(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'start':
      return start(message);
    case 'encode':
      waiting[message.purpose].set(message.id, { ...message, vectors: [], runs: null });
      return work();
    case 'cancel':
      forget(message.id);
      return;
    case 'stop':
      return scope.postMessage({ kind: 'stopped' });
  }
}

async function start({ folder, files, threads, yieldsToOthers }: Start): Promise<void> {
  try {
    if (yieldsToOthers) lowerThreadPriority(BACKGROUND_NICENESS);
    encoder = await openEncoder(folder, files, threads);
    scope.postMessage({ kind: 'started', tag: encoder.tag });
  } catch (error) {
    return scope.postMessage({ kind: 'broken', reason: reasonOf(error) });
  }
  await work();
}

async function work(): Promise<void> {
  if (encoder === null || isWorking) return;
  isWorking = true;
  for (let next = nextRequest(); next !== undefined; next = nextRequest()) {
    await readNext(encoder, next);
    // Lets messages in.
    await setImmediate();
  }
  isWorking = false;
}

function nextRequest(): Waiting | undefined {
  const [query] = waiting.query.values();
  const [offering] = waiting.offering.values();
  return query ?? offering;
}

/** Runs the model once, and answers the request after its last run. */
async function readNext(model: Encoder, request: Waiting): Promise<void> {
  const { id, texts, purpose, vectors } = request;
  request.runs ??= model.encode(texts, purpose);
  try {
    const run = await request.runs.next();
    if (run.done !== true) {
      for (const { place, vector } of run.value) vectors[place] = vector;
      return;
    }
  } catch (error) {
    forget(id);
    return scope.postMessage({ kind: 'failed', id, reason: reasonOf(error) });
  }
  forget(id);
  scope.postMessage(
    { kind: 'encoded', id, vectors },
    vectors.map(({ buffer }) => buffer),
  );
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : String(error);
}

function forget(id: number): void {
  waiting.query.delete(id);
  waiting.offering.delete(id);
}
