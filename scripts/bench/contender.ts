/**
 * Runs one of the engines that the benchmark compares with vitrine, in its own process:
 *
 *   bun scripts/bench/contender.ts minisearch|orama|fts5|bare FOLDER
 *
 * FOLDER contains the files that bench.ts wrote. Prints a line of JSON when it is ready for
 * requests.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Elysia } from 'elysia';
import type { CatalogItem } from '../../src/domain/catalog.ts';
import { priceText } from '../../src/domain/money.ts';
import type { ResultV2 } from '../../src/http/search/result-v2.ts';
import { fileUrl } from '../../src/storage/engine/file-url.ts';
import { openFts5, openMiniSearch, openOrama, type Search } from './engines.ts';
import { readItems } from './questions.ts';

/** What a contender reports about itself. */
export interface ContenderReport {
  readonly port: number;
  /** Time from reading the file to the first possible search; null if it builds no index. */
  readonly indexSeconds: number | null;
}

const [name, folder] = process.argv.slice(2) as [string, string];
const path = (file: string) => join(folder, file);

if (name === 'bare') serveBodies();
else await serveEngine();

/** Serves the same bytes as vitrine's responses without doing any work. */
function serveBodies(): void {
  const texts = readJson<Record<string, string>>('bodies.json');
  const bodies = new Map(
    Object.entries(texts).map(([question, text]) => [question, new TextEncoder().encode(text)]),
  );
  const headers = { 'content-type': 'application/json;charset=utf-8' };
  const app = new Elysia()
    .get('/search', ({ query }) => new Response(bodies.get(query['q']!), { headers }))
    .get('/ok', () => 'ok')
    .listen({ hostname: '127.0.0.1', port: 0 });
  report({ port: app.server!.port!, indexSeconds: null });
}

async function serveEngine(): Promise<void> {
  const startedMs = performance.now();
  const { catalogue } = readJson<{ catalogue: string }>('run.json');
  const items = await readItems(path(catalogue));
  const search = await openSearch(items);
  const indexSeconds = (performance.now() - startedMs) / 1000;
  const results = items.map(toResult);
  const app = new Elysia()
    .get('/search', async ({ query }) => {
      const found = await search(query['q']!);
      return { results: found.map((place) => results[place]!), count: found.length };
    })
    .get('/engine-alone', ({ query }) => measureAlone(search, Number(query['seconds'])))
    .listen({ hostname: '127.0.0.1', port: 0 });
  report({ port: app.server!.port!, indexSeconds });
}

async function openSearch(items: readonly CatalogItem[]): Promise<Search> {
  const texts = items.map((item) => ({ title: item.name, text: item.description }));
  if (name === 'minisearch') return openMiniSearch(texts);
  if (name === 'orama') return openOrama(texts);
  return openFts5(texts, fileUrl(path('fts5.db')));
}

/** Searches per second without HTTP, after all questions have been asked once. */
async function measureAlone(search: Search, seconds: number): Promise<{ perSecond: number }> {
  const { questions } = readJson<{ questions: string[] }>('run.json');
  for (const question of questions) await search(question);
  const startedMs = performance.now();
  let count = 0;
  while (performance.now() - startedMs < seconds * 1000)
    await search(questions[count++ % questions.length]!);
  return { perSecond: (count / (performance.now() - startedMs)) * 1000 };
}

/** The fields of v2, built once, which favours the contenders. */
function toResult(item: CatalogItem): ResultV2 {
  const { type, name: title, description, publicUrl, publishedAt } = item;
  const offering = item.type === 'product' ? item : null;
  return {
    id: crypto.randomUUID(),
    type,
    name: title,
    description,
    image: offering?.image ?? null,
    images: [...(offering?.images ?? [])],
    slug: offering?.slug ?? null,
    publicUrl,
    publishedAt,
    vendor: offering?.vendor ?? null,
    tags: [...(offering?.tags ?? [])],
    productType: offering?.productType ?? null,
    price: offering && priceText(offering.priceMinor, offering.currency),
    compareAtPrice: offering && priceText(offering.compareAtPriceMinor, offering.currency),
  };
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(path(file), 'utf8')) as Content;
}

function report(line: ContenderReport): void {
  console.log(JSON.stringify(line));
}
