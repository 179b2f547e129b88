/**
 * The worker thread that computes embeddings: tokenizer and model, one text per message. It is a
 * separate entry point, because a worker shares no code with the thread that starts it.
 */
import { readFile } from 'node:fs/promises';
import { openSession } from './inference.ts';
import type { Backend, Session } from './inference-session.ts';
import type { ModelFiles } from './model-files.ts';
import { type WordPieceTokenizer, wordPieceTokenizer } from './word-piece.ts';

/** The model was trained on texts of at most this many word pieces; the rest of a text is ignored. */
const PIECES_MAX = 256;

export type ToWorker =
  | { readonly kind: 'start'; readonly files: ModelFiles; readonly threads: number }
  | { readonly kind: 'encode'; readonly text: string }
  | { readonly kind: 'stop' };

/** One answer per message, or `broken` if the worker can no longer answer. */
export type FromWorker =
  | { readonly kind: 'started'; readonly backend: Backend }
  | { readonly kind: 'vector'; readonly vector: Float32Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'stopped' };

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
let model: { readonly session: Session; readonly tokenizer: WordPieceTokenizer } | null = null;

scope.onmessage = ({ data }) => void answer(data);

async function answer(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'start':
      return start(message.files, message.threads);
    case 'encode':
      return encode(message.text);
    case 'stop':
      return scope.postMessage({ kind: 'stopped' });
  }
}

async function start(files: ModelFiles, threads: number): Promise<void> {
  try {
    const tokenizer = wordPieceTokenizer(await readFile(files.vocabulary, 'utf8'));
    model = { session: await openSession(files, threads), tokenizer };
    scope.postMessage({ kind: 'started', backend: model.session.backend });
  } catch (error) {
    scope.postMessage({ kind: 'broken', reason: String(error) });
  }
}

async function encode(text: string): Promise<void> {
  try {
    const { session, tokenizer } = model!;
    const vector = new Float32Array(await session.run(tokenizer.encode(text, PIECES_MAX)));
    scope.postMessage({ kind: 'vector', vector }, [vector.buffer]);
  } catch (error) {
    scope.postMessage({ kind: 'failed', reason: String(error) });
  }
}
