import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { AppError } from '../../src/domain/errors.ts';
import type { Embedder } from '../../src/models/embedder.ts';
import { openLocalEmbedder } from '../../src/models/local-embedder.ts';
import { type ModelFiles, modelFiles } from '../../src/models/model-files.ts';

const files = modelFiles();
const NEVER = new AbortController().signal;

function open(overrides: Partial<ModelFiles> = {}, now = () => 0): Embedder {
  return openLocalEmbedder({ files: { ...files!, ...overrides }, folder: null, threads: 1, now });
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? error.code : error;
}

/** A fake worker that does what the real one never does. */
function workerOf(body: string): string {
  const source = `onmessage = ({ data }) => { ${body} };`;
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}

describe.skipIf(files === null)('the built-in model', () => {
  const embedder = files === null ? null! : open();
  afterAll(() => embedder.close());

  test('places a couch nearer to a sofa than to a drill', async () => {
    const [couch, sofa, drill] = await embedder.embed(['couch', 'sofa', 'drill'], 'query', NEVER);
    expect(cosine(couch!, sofa!)).toBeGreaterThan(0.8);
    expect(cosine(couch!, drill!)).toBeLessThan(0.3);
  });

  test('returns unit vectors of the stated length, in order, under a tag that names its backend', async () => {
    const texts = ['red shoe', '', 'blue bottle', '沙发 🛋'];
    const vectors = await embedder.embed(texts, 'offering', NEVER);
    expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => 384));
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(await embedder.embed(['blue bottle'], 'query', NEVER)).toEqual([vectors[2]!]);
    expect(embedder.tag).toMatch(/^all-MiniLM-L6-v2\/onnx-(native|wasm)$/);
  });

  test('returns the same vector for a text, alone or after others', async () => {
    const [alone] = await embedder.embed(['oak table'], 'query', NEVER);
    const among = await embedder.embed(['a', 'word '.repeat(400), 'oak table'], 'offering', NEVER);
    expect(among[2]).toEqual(alone!);
  });

  test.skipIf(process.platform !== 'linux')(
    'reads catalogue texts on threads that leave nine tenths of a busy core to others',
    async () => {
      await embedder.embed(['oak table'], 'offering', NEVER);
      const priorityOf = (thread: string) => {
        try {
          return getPriority(Number(thread));
        } catch {
          // It has ended meanwhile.
          return null;
        }
      };
      const priorities = readdirSync('/proc/self/task').map(priorityOf);
      expect(priorities).toContain(Math.max(10, getPriority(process.pid)));
    },
  );

  test('ignores text beyond 256 word pieces', async () => {
    const [short, long] = ['table '.repeat(254), `${'table '.repeat(254)} drill`];
    const [first, second] = await embedder.embed([short, long], 'query', NEVER);
    expect(first).toEqual(second!);
  });

  test('gives each of many texts the vector that it has alone, to six digits', async () => {
    const texts = ['red', 'large', 'quiet', 'cordless'].flatMap((adjective) =>
      ['sofa', 'drill, 18 V', 'kettle', 'desk with drawers'].map((noun) => `${adjective} ${noun}`),
    );
    const together = await embedder.embed(texts, 'offering', NEVER);
    for (const [at, text] of texts.entries()) {
      const [alone] = await embedder.embed([text], 'offering', NEVER);
      const differences = alone!.map((value, i) => Math.abs(value - together[at]![i]!));
      expect(Math.max(...differences)).toBeLessThan(1e-6);
    }
  });

  test('lets a query overtake a backlog of offerings', async () => {
    const stop = new AbortController();
    const backlog = embedder.embed(Array(5000).fill('a long oak table'), 'offering', stop.signal);
    const query = embedder.embed(['table'], 'query', NEVER).then(() => 'query');
    expect(await Promise.race([backlog, query])).toBe('query');
    stop.abort(new Error('enough'));
    expect(backlog).rejects.toThrow('enough');
  });

  test('answers offerings in the order in which they came', async () => {
    const finished: string[] = [];
    const embedNamed = async (name: string) => {
      await embedder.embed(['a long oak table'], 'offering', NEVER);
      finished.push(name);
    };
    await Promise.all(['1', '2', '3', '4', '5'].map(embedNamed));
    expect(finished).toEqual(['1', '2', '3', '4', '5']);
  });

  test('rejects waiting texts with the reason of an aborted signal and continues with the rest', async () => {
    const stop = new AbortController();
    const dropped = embedder.embed(Array(5000).fill('table'), 'offering', stop.signal);
    const kept = embedder.embed(['table'], 'offering', NEVER);
    stop.abort(new Error('enough'));
    expect(dropped).rejects.toThrow('enough');
    expect(await kept).toHaveLength(1);
    expect(embedder.embed(['table'], 'query', stop.signal)).rejects.toThrow('enough');
  });

  test('refuses more than 10,000 waiting texts', async () => {
    const stop = new AbortController();
    const full = embedder.embed(Array(10_000).fill('table'), 'offering', stop.signal);
    expect(await codeOf(embedder.embed(['a', 'b'], 'offering', NEVER))).toBe('unavailable');
    stop.abort();
    expect(full).rejects.toThrow();
    expect(await embedder.embed(['a', 'b'], 'offering', NEVER)).toHaveLength(2);
  });

  test('computes equivalent vectors in WebAssembly if the native runtime is missing or broken', async () => {
    const [native] = await embedder.embed(['grey three-seat sofa'], 'query', NEVER);
    for (const broken of [null, { kind: 'in place', addon: '/nowhere.node' }] as const) {
      const fallback = open({ native: broken });
      const [vector] = await fallback.embed(['grey three-seat sofa'], 'query', NEVER);
      expect(cosine(vector!, native!)).toBeGreaterThan(0.98);
      expect(fallback.tag).toBe('all-MiniLM-L6-v2/onnx-wasm');
      await fallback.close();
    }
  });

  test('is unavailable if no runtime loads', async () => {
    const broken = open({ native: null, wasm: null });
    expect(await codeOf(broken.embed(['table'], 'query', NEVER))).toBe('unavailable');
    await broken.close();
  });

  test('close rejects waiting and later calls and ends the worker', async () => {
    const closing = open();
    const waiting = closing.embed(['table', 'chair'], 'offering', NEVER);
    const [code] = await Promise.all([codeOf(waiting), closing.close(), closing.close()]);
    expect(code).toBe('unavailable');
    expect(await codeOf(closing.embed(['table'], 'query', NEVER))).toBe('unavailable');
    await open().close();
  });
});

describe('a worker that crashes', () => {
  const stub: ModelFiles = { model: '', vocabulary: '', worker: '', native: null, wasm: null };

  test('rejects waiting texts, stays stopped for a while, and restarts', async () => {
    let now = 0;
    const worker = workerOf(`
      if (data.kind === 'start') postMessage({ kind: 'started', tag: 'stub' });
      if (data.kind === 'encode' && data.texts[0] === 'crash') throw new Error('crash');
      if (data.kind === 'encode')
        postMessage({ kind: 'encoded', id: data.id, vectors: [new Float32Array([1])] });
      if (data.kind === 'stop') postMessage({ kind: 'stopped' });`);
    const embedder = openLocalEmbedder({
      files: { ...stub, worker },
      folder: null,
      threads: 1,
      now: () => now,
    });
    const both = [
      embedder.embed(['crash'], 'query', NEVER),
      embedder.embed(['fine'], 'query', NEVER),
    ];
    expect(await Promise.all(both.map(codeOf))).toEqual(['unavailable', 'unavailable']);
    const refused = await embedder.embed(['fine'], 'query', NEVER).catch((error: unknown) => error);
    expect((refused as AppError).details.retryAfterMs).toBe(1000);
    now = 1000;
    expect(await embedder.embed(['fine'], 'query', NEVER)).toHaveLength(1);
    expect(await codeOf(embedder.embed(['crash'], 'query', NEVER))).toBe('unavailable');
    now = 2000;
    expect(await codeOf(embedder.embed(['fine'], 'query', NEVER))).toBe('unavailable');
    now = 11_000;
    expect(await embedder.embed(['fine'], 'query', NEVER)).toHaveLength(1);
    await embedder.close();
  });

  test('a text that fails does not affect others', async () => {
    const worker = workerOf(`
      if (data.kind === 'start') postMessage({ kind: 'started', tag: 'stub' });
      if (data.kind === 'encode') postMessage(data.texts[0] === 'bad'
        ? { kind: 'failed', id: data.id, reason: 'bad' }
        : { kind: 'encoded', id: data.id, vectors: [new Float32Array([1])] });
      if (data.kind === 'stop') postMessage({ kind: 'stopped' });`);
    const embedder = openLocalEmbedder({
      files: { ...stub, worker },
      folder: null,
      threads: 1,
      now: () => 0,
    });
    const bad = embedder.embed(['bad', 'fine'], 'query', NEVER);
    const fine = embedder.embed(['fine'], 'query', NEVER);
    expect(await codeOf(bad)).toBe('unavailable');
    expect(await fine).toHaveLength(1);
    await embedder.close();
  });
});
