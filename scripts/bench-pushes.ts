/**
 * How soon a search sees pushed stock, and what pushing costs the searches beside it:
 *
 *   bun scripts/bench-pushes.ts BINARY CATALOGUE
 *
 * CATALOGUE is a file that `vitrine catalog import` reads, with a thousand offerings or more.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/storage/engine/database.ts';
import { freePort, Processes, runToEnd } from './bench/processes.ts';

const PUSHED = 1000;
const ROUNDS = 10;
const WRITERS = 10;
const WRITES = 20;
const SEARCHED_MS = 5000;

interface Offering {
  readonly externalId: string;
  readonly name: string;
  readonly currency: string;
  readonly variants?: readonly object[];
}

const [binary, catalogue] = process.argv.slice(2);
if (binary === undefined || catalogue === undefined)
  throw new Error('bench-pushes BINARY CATALOGUE');
const folder = mkdtempSync(join(tmpdir(), 'vitrine-pushes-'));
const processes = new Processes();
try {
  const data = ['--data', join(folder, 'data')];
  await runToEnd([binary, 'init', '--org', 'Bench', '--json', ...data]);
  await runToEnd([binary, 'org', 'set', '--unlimited', ...data]);
  await runToEnd([binary, 'catalog', 'import', catalogue, '--json', ...data]);
  const key = await runToEnd([
    binary,
    'key',
    'create',
    '--scopes',
    'catalog,search',
    '--json',
    ...data,
  ]);
  const exported = join(folder, 'export.jsonl');
  await runToEnd([binary, 'catalog', 'export', exported, ...data]);
  const all = readFileSync(exported, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Offering);
  const offerings = all.filter(({ variants }) => variants === undefined).slice(0, PUSHED);
  const before = await countDocuments();
  const port = await freePort();
  const log = join(folder, 'log');
  const serve = [binary, 'serve', '--listen', `127.0.0.1:${port}`, '--ops-listen', '127.0.0.1:0'];
  const serving = processes.start([...serve, '--embedder', 'off', ...data], { log });
  await measure(`http://127.0.0.1:${port}`, (JSON.parse(key) as { apiKey: string }).apiKey);
  await processes.stop(serving);
  const after = await countDocuments();
  console.log(`documents before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);

  async function measure(url: string, apiKey: string): Promise<void> {
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...init, headers: { 'x-api-key': apiKey, ...(init.headers as object) } });
    const patch = (lines: readonly object[]) =>
      ask('/rest/catalog/shop-1/items', {
        method: 'PATCH',
        body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        headers: { 'content-type': 'application/x-ndjson' },
      });
    const search = async ({ name }: Offering) => {
      const query = new URLSearchParams({ q: name.slice(0, 200), limit: '20' });
      const answer = await ask(`/rest/search/v3/?${query}`);
      return (await answer.json()) as { results: { externalId: string; price: string }[] };
    };
    for (;;) {
      const answer = await ask('/readyz').catch(() => null);
      if (answer?.ok) break;
      await Bun.sleep(50);
    }
    await searchFor(3 * SEARCHED_MS);
    console.log(`${all.length} offerings; searches alone: ${told(await searchFor(SEARCHED_MS))}`);
    const answeredMs: number[] = [];
    const visibleMs: number[] = [];
    const beside = searchFor(SEARCHED_MS);
    for (let round = 1; round <= ROUNDS; round++) {
      const startedMs = performance.now();
      const answer = await patch(
        offerings.map(({ externalId }, index) => ({
          externalId,
          price: `${round}.${10 + (index % 90)}`,
          availability: index % 3 === 0 ? 'out_of_stock' : 'in_stock',
        })),
      );
      answeredMs.push(performance.now() - startedMs);
      if (!answer.ok) throw new Error(await answer.text());
      const { results } = await search(offerings[0]!);
      visibleMs.push(performance.now() - startedMs);
      const found = results.find(({ externalId }) => externalId === offerings[0]!.externalId);
      if (found?.price !== `${round}.10`) throw new Error(`not visible: ${found?.price}`);
      await Bun.sleep(SEARCHED_MS / ROUNDS / 2);
    }
    console.log(
      `PATCH of ${PUSHED}: answered ${told(answeredMs)}; found by a search ${told(visibleMs)}`,
    );
    console.log(`searches beside: ${told(await beside)}`);
    const searching = searchFor(SEARCHED_MS);
    const startedMs = performance.now();
    const writesMs: number[] = [];
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let write = 1; write <= WRITES; write++) {
          const own = offerings.slice(writer * 100, writer * 100 + 100);
          const sentMs = performance.now();
          const answer = await patch(
            own.map(({ externalId }) => ({ externalId, price: `${write}.00` })),
          );
          writesMs.push(performance.now() - sentMs);
          if (!answer.ok) throw new Error(await answer.text());
        }
      }),
    );
    const seconds = (performance.now() - startedMs) / 1000;
    const rate = Math.round((WRITERS * WRITES * 100) / seconds);
    console.log(
      `${WRITERS} writers, 100 offerings each time: ${told(writesMs)}; ${rate} offerings/s`,
    );
    console.log(`searches beside: ${told(await searching)}`);

    /** Searches one after another; how long each took. */
    async function searchFor(ms: number): Promise<number[]> {
      const times: number[] = [];
      for (const endMs = performance.now() + ms; performance.now() < endMs; ) {
        const startedMs = performance.now();
        await search(all[(times.length * 7919) % all.length]!);
        times.push(performance.now() - startedMs);
      }
      return times;
    }
  }
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function countDocuments() {
  const db = await openDatabase(join(folder, 'data', 'vitrine.db'), { create: false });
  const [row] = await db.all<object>({
    sql: 'SELECT count(*) AS count, max(key) AS newest, sum(vector IS NOT NULL) AS vectors FROM documents',
    args: [],
  });
  await db.close();
  return row;
}

/** Median, 99th percentile and maximum in milliseconds. */
function told(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, max ${sorted.at(-1)!.toFixed(1)} ms (${times.length})`;
}
