import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../src/domain/errors.ts';
import { REFERENCE_SCALE } from '../../src/models/cosine-scale.ts';
import type { Embedder } from '../../src/models/embedder.ts';
import { termsOf } from './english.ts';

/** Enough dimensions that two words of a test rarely share one. */
const DIMENSIONS = 1024;

/** State of the model: it answers, delays its answers, or fails. */
export type Condition = 'well' | 'slow' | 'broken';

/** A model that embeds a text by its words: deterministic, and controlled by the test. */
export class StandInModel {
  /** Every text it was given, in order. */
  readonly asked: string[] = [];
  #condition: Condition = 'well';
  #waiting: (() => void)[] = [];
  #onAsked: (() => void)[] = [];

  /** Sets the state. Requests to a slow model are answered as soon as it is no longer slow. */
  set condition(condition: Condition) {
    this.#condition = condition;
    if (condition === 'slow') return;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Resolves at the next request to the model. */
  nextAsked(): Promise<void> {
    return new Promise((resolve) => this.#onAsked.push(resolve));
  }

  /** Rejects while broken, waits while slow. */
  async read(texts: readonly string[]): Promise<Float32Array[]> {
    this.asked.push(...texts);
    for (const tell of this.#onAsked.splice(0)) tell();
    if (this.#condition === 'slow') {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#condition === 'broken') throw new Error('The stand-in model is broken.');
    return texts.map(vectorOf);
  }
}

/** The model as the service's embedder. `tag` identifies it, as with a real model. */
export function embedderOf(model: StandInModel, tag = 'stand-in'): Embedder {
  return {
    tag,
    cosineScale: REFERENCE_SCALE,
    async embed(texts, _purpose, signal) {
      signal.throwIfAborted();
      try {
        return await model.read(texts);
      } catch (cause) {
        throw new AppError('unavailable', 'The embedder cannot answer.', { cause });
      }
    },
    close: async () => undefined,
  };
}

/** The model behind an OpenAI-compatible endpoint on a free port, for services in a separate process. */
export async function serveModel(
  model: StandInModel,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { input } = JSON.parse(body) as { input: string[] };
    try {
      const vectors = await model.read(input);
      const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A unit vector with one direction for each different word. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const term of ['', ...termsOf(text)]) vector[hash(term) % DIMENSIONS]! += 1;
  // All texts share the first direction. Its weight is too small to relate them.
  vector[hash('') % DIMENSIONS] = 0.01;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}
