/**
 * Builds the in-memory index of a catalogue in JSON Lines, at its size and at five times that, and
 * prints the build cost and search times, compared with MiniSearch on the same questions.
 *
 *   bun scripts/bench-index.ts PRODUCTS.jsonl[.gz] [--queries queries.tsv] [--vectors CACHE]
 *
 * The embedded model makes the vectors, some minutes for 20,000 offerings; CACHE keeps them for
 * the next run. Without `--queries` the questions are words of names.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { readJsonRecord } from '../src/catalog/own/json-lines.ts';
import { type CatalogItem, isAvailable } from '../src/domain/catalog.ts';
import { openLocalEmbedder } from '../src/models/local-embedder.ts';
import { modelFiles } from '../src/models/model-files.ts';
import { documentTerms, searchDocuments } from '../src/search/index/documents.ts';
import type { MemoryIndex } from '../src/search/index/memory-index.ts';
import {
  type IndexableDocument,
  MemoryIndexBuilder,
} from '../src/search/index/memory-index-builder.ts';
import {
  expandTerms,
  isCorrectable,
  isSimilar,
  similarLengths,
  type TermGroup,
  termsToCount,
} from '../src/search/query/expand-terms.ts';
import { parseQuestion } from '../src/search/query/parse-question.ts';

const DIMENSIONS = 384;
const CANDIDATES = 150;
const DERIVED_QUESTIONS = 300;
const EVERYWHERE = { shopKeys: null, productsOnly: false };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { queries: { type: 'string' }, vectors: { type: 'string' } },
});
const [file] = positionals;
if (file === undefined)
  throw new Error(
    'usage: bun scripts/bench-index.ts PRODUCTS.jsonl[.gz] [--queries queries.tsv] [--vectors CACHE]',
  );

const items = readItems(file);
const texts = items.flatMap((item) =>
  searchDocuments(item).map(({ embeddingText }) => embeddingText),
);
const questions = [...new Set([...asked(), ...derived()])];
const vectors = await embedAll([...texts, ...questions]);
const questionVectors = vectors.slice(texts.length);

for (const times of [1, 5]) {
  const index = build(times);
  const groups = questions.map((question) => understand(index, question));
  const scope = EVERYWHERE;
  const limit = CANDIDATES;
  measure('words', (at) => index.matchWords({ groups: groups[at]!, scope, limit }));
  measure('vectors', (at) => index.matchVectors({ vector: questionVectors[at]!, scope, limit }));
  measure('both', (at) =>
    index.search({ groups: groups[at]!, vector: questionVectors[at]!, scope, limit }),
  );
  measure('understanding', (at) => understand(index, questions[at]!));
  console.log(
    `  recall@${limit} of vector search against all cosines: ${recall(index).toFixed(4)}`,
  );
  compareWithMiniSearch(times);
}

function build(times: number): MemoryIndex {
  let longestMs = 0;
  const timed = <Result>(work: () => Result): Result => {
    const start = performance.now();
    const result = work();
    longestMs = Math.max(longestMs, performance.now() - start);
    return result;
  };
  const before = performance.now();
  const builder = new MemoryIndexBuilder({ dimensions: DIMENSIONS });
  for (const document of documents(times)) timed(() => builder.add(document));
  const added = performance.now();
  const longestAddMs = longestMs;
  longestMs = 0;
  const steps = builder.finish();
  for (;;) {
    const step = timed(() => steps.next());
    if (step.done !== true) continue;
    const index = step.value;
    const finished = performance.now();
    console.log(
      `${index.size} documents: add ${(added - before).toFixed(0)} ms (with tokenizing; longest ${longestAddMs.toFixed(1)})`,
    );
    console.log(
      `  finish ${(finished - added).toFixed(0)} ms, longest stretch ${longestMs.toFixed(1)} ms, ${(index.byteSize / 1e6).toFixed(1)} MB`,
    );
    return index;
  }
}

function* documents(times: number): Generator<IndexableDocument> {
  let key = 0;
  for (let copy = 0; copy < times; copy++) {
    let text = 0;
    for (const [number, item] of items.entries()) {
      for (const { terms } of documentTerms(item)) {
        const isProduct = item.type === 'product';
        // Copies differ slightly, like real offerings, so that the bit scan sees no equal vectors.
        const vector =
          copy === 0
            ? vectors[text]!
            : vectors[text]!.map(
                (value, at) => value + 0.02 * Math.sin(at * 12.9 + number * 7.3 + copy * 3.1),
              );
        yield {
          documentKey: ++key,
          itemKey: copy * items.length + number,
          id: `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`,
          shopKey: 1,
          generation: 1,
          type: item.type,
          available: !isProduct || isAvailable(item.availability),
          terms,
          vector,
          vendor: isProduct ? item.vendor : null,
          productType: isProduct ? item.productType : null,
          tags: isProduct ? item.tags : [],
          currency: isProduct ? item.currency : '',
          priceMinor: isProduct ? item.priceMinor : null,
        };
        text += 1;
      }
    }
  }
}

/** Parses a question the way the search operation does. */
function understand(index: MemoryIndex, question: string): TermGroup[] {
  const { terms } = parseQuestion(question);
  const counts = index.countDocuments(termsToCount(terms));
  const spellings = new Map<string, string[]>();
  for (const term of terms) {
    if (counts.has(term) || !isCorrectable(term)) continue;
    const found = index
      .findTerms({ prefix: term.charAt(0), ...similarLengths(term), limit: 5000 })
      .filter((candidate) => isSimilar(term, candidate.term));
    for (const candidate of found) counts.set(candidate.term, candidate.count);
    spellings.set(
      term,
      found.map((candidate) => candidate.term),
    );
  }
  return expandTerms(terms, {
    size: index.size,
    count: (term) => counts.get(term) ?? 0,
    similar: (term) => spellings.get(term) ?? [],
  });
}

function measure(name: string, work: (question: number) => unknown): void {
  const times: number[] = [];
  for (let run = 0; run < 4; run++) {
    for (const at of questions.keys()) {
      const start = performance.now();
      work(at);
      if (run > 0) times.push(performance.now() - start);
    }
  }
  times.sort((left, right) => left - right);
  const microseconds = (share: number) =>
    (times[Math.floor(times.length * share)]! * 1000).toFixed(0).padStart(7);
  console.log(
    `  ${name.padEnd(14)} p50 ${microseconds(0.5)} µs, p99 ${microseconds(0.99)} µs, least ${microseconds(0)} µs`,
  );
}

function recall(index: MemoryIndex): number {
  const keys = Array.from({ length: index.size }, (_, at) => at + 1);
  let found = 0;
  const sample = questionVectors.filter((_, at) => at % 5 === 0);
  for (const vector of sample) {
    const cosines = [...index.measureCosines(keys, vector)]
      .sort((left, right) => right[1] - left[1])
      .slice(0, CANDIDATES);
    const brought = new Set(
      index
        .matchVectors({ vector, scope: EVERYWHERE, limit: CANDIDATES })
        .map(({ documentKey }) => documentKey),
    );
    found += cosines.filter(([key]) => brought.has(key)).length / CANDIDATES;
  }
  return found / sample.length;
}

function compareWithMiniSearch(times: number): void {
  const start = performance.now();
  const mini = new MiniSearch({ fields: ['title', 'text'] });
  for (let copy = 0; copy < times; copy++) {
    mini.addAll(
      items.map(({ name, description }, number) => ({
        id: copy * items.length + number,
        title: name,
        text: description,
      })),
    );
  }
  console.log(`  MiniSearch: built in ${(performance.now() - start).toFixed(0)} ms`);
  measure('MiniSearch', (at) =>
    mini.search(questions[at]!, { boost: { title: 3 }, prefix: true, fuzzy: 0.2 }),
  );
}

function readItems(path: string): CatalogItem[] {
  const bytes = readFileSync(path);
  const text = new TextDecoder().decode(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  return text.split('\n').flatMap((line, number) => {
    if (line === '') return [];
    const at = { line: number + 1, record: number + 1, text: line, problem: null };
    const options = { currency: 'EUR', shopUrl: 'https://shop.example', now: 0 };
    const rows = readJsonRecord(path, at, options);
    return rows.flatMap((row) => ('item' in row ? [row.item] : []));
  });
}

function asked(): string[] {
  if (values.queries === undefined) return [];
  const lines = readFileSync(values.queries, 'utf8').trim().split('\n');
  return lines.map((line) => line.split('\t').at(-1)!);
}

function derived(): string[] {
  const step = Math.max(1, Math.floor(items.length / DERIVED_QUESTIONS));
  const named = items.filter((_, number) => number % step === 0);
  return named.map(({ name }, number) =>
    name
      .split(' ')
      .slice(number % 2, (number % 2) + 3)
      .join(' '),
  );
}

async function embedAll(all: readonly string[]): Promise<Float32Array[]> {
  const cache = values.vectors;
  if (cache !== undefined && existsSync(cache)) {
    const kept = Uint8Array.from(readFileSync(cache)).buffer;
    if (kept.byteLength === all.length * DIMENSIONS * 4)
      return all.map((_, at) => new Float32Array(kept, at * DIMENSIONS * 4, DIMENSIONS));
  }
  const files = modelFiles();
  if (files === null) throw new Error('run "bun run model" first');
  const embedder = openLocalEmbedder({ files, threads: 1, now: () => performance.now() });
  const made: Float32Array[] = [];
  for (let at = 0; at < all.length; at += 256) {
    made.push(
      ...(await embedder.embed(all.slice(at, at + 256), 'offering', new AbortController().signal)),
    );
  }
  await embedder.close();
  if (cache !== undefined)
    writeFileSync(
      cache,
      Buffer.concat(
        made.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
      ),
    );
  return made;
}
