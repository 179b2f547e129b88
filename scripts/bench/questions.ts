import { readFileSync } from 'node:fs';
import { openCatalog } from '../../src/cli/command/read-files.ts';
import type { CatalogItem } from '../../src/domain/catalog.ts';

/**
 * A word that a shopper may type. Excludes `1`, `x`, `to` and `cm`, which match half a catalogue in
 * every engine.
 */
const TELLING_WORD = /\p{L}{3}/u;

const WORDS_MIN = 2;
const WORDS_MAX = 4;
/** Maximum attempts, because a small catalogue may not have enough different questions. */
const ATTEMPTS_MAX = 100_000;
const SEED = 1;

/** Questions that only warm up a service; none of them is part of the run. */
export const WARM_UP_QUESTIONS = ['warm up', 'something to warm up with', 'wake up'];

export async function readItems(path: string): Promise<CatalogItem[]> {
  const input = await openCatalog(path, { format: 'json-lines' });
  const items: CatalogItem[] = [];
  for await (const row of input.rows({ currency: 'EUR', shopUrl: 'https://shop.example', now: 0 }))
    if ('item' in row) items.push(row.item);
  return items;
}

/**
 * The questions of a TSV file (text in the last column), topped up with adjacent words from names.
 * The result is deterministic, with at most `count` questions.
 */
export function chooseQuestions(
  items: readonly Pick<CatalogItem, 'name'>[],
  { file, count }: { file: string | undefined; count: number },
): string[] {
  const asked = file === undefined ? [] : readFileSync(file, 'utf8').split(/\r?\n/);
  const questions = new Set(asked.map((line) => line.split('\t').at(-1)!.trim()));
  questions.delete('');
  const random = startRandom(SEED);
  for (let attempt = 0; questions.size < count && attempt < ATTEMPTS_MAX; attempt += 1) {
    const { name } = items[Math.floor(random() * items.length)]!;
    const words = name.split(/\s+/).filter((word) => TELLING_WORD.test(word));
    const length = WORDS_MIN + Math.floor(random() * (WORDS_MAX - WORDS_MIN + 1));
    if (words.length < WORDS_MIN) continue;
    const start = Math.floor(random() * Math.max(1, words.length - length + 1));
    questions.add(words.slice(start, start + length).join(' '));
  }
  return [...questions].slice(0, count);
}

/** Deterministic pseudo-random numbers from 0 to 1 (mulberry32). */
function startRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
