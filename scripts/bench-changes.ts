/**
 * Measures how catalogue changes affect searches, on a copy of a data folder: search latency while
 * five offerings change and while the whole catalogue is imported, the time until the catalogue is
 * in memory after a restart with and without searches, and the memory of the service.
 *
 * bun scripts/bench-changes.ts --data FOLDER --catalogue PRODUCTS.jsonl[.gz] [--minutes 2]
 * [--binary FILE]
 *
 * FOLDER contains that catalogue, imported and embedded. Clients search for names of its offerings.
 * For the given minutes, a hundred offerings change every ten seconds while memory is sampled.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type LoadResult, runLoad, searchRequests } from './bench/load.ts';
import { freePort, Processes, residentMb, runToEnd } from './bench/processes.ts';
import {
  findProgram,
  importCommand,
  prepareData,
  type Service,
  startService,
  V3_PATH,
} from './bench/vitrine.ts';

const CLIENTS = 8;
const QUESTION_WORDS = 3;
const BASELINE_SECONDS = 10;
const IN_MEMORY_WITHIN_MS = 180_000;
/** Intervals between samples of `/healthz`, of the metrics, and of memory. */
const LOOK_MS = 10;
const SCRAPE_MS = 250;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    catalogue: { type: 'string' },
    binary: { type: 'string' },
    minutes: { type: 'string', default: '2' },
  },
});
const { data, catalogue } = values;
if (data === undefined || catalogue === undefined)
  throw new Error('usage: bun scripts/bench-changes.ts --data FOLDER --catalogue FILE');

const program = findProgram(values.binary);
const folder = mkdtempSync(join(tmpdir(), 'vitrine-changes-'));
const processes = new Processes();
const rows = readRows(catalogue);
const questions = rows
  .filter((_, at) => at % 20 === 0)
  .map(({ name }) => name.split(' ').slice(0, QUESTION_WORDS).join(' '));
try {
  const prepared = await prepareData(program, { data: join(folder, 'data'), copyOf: data });
  const requests = searchRequests(questions, { path: V3_PATH, apiKey: prepared.apiKey });
  const search = ({ port }: Service, seconds: number) =>
    runLoad({ port, requests, connections: CLIENTS, seconds });
  const importRows = (file: string) => runToEnd(importCommand(program, file, prepared.data));
  const start = async () => {
    const opsPort = await freePort();
    return {
      ...(await startService(processes, program, prepared, [
        '--ops-listen',
        `127.0.0.1:${opsPort}`,
      ])),
      opsPort,
    };
  };

  const idle = await start();
  say('in memory after a start without searches', seconds(await untilInMemory(idle.opsPort)));
  await processes.stop(idle.process);

  const service = await start();
  const loading = untilInMemory(service.opsPort);
  let isLoaded = false;
  void loading.finally(() => (isLoaded = true));
  const during: LoadResult[] = [];
  while (!isLoaded) during.push(await search(service, 1));
  say(`in memory after a start with ${CLIENTS} clients`, seconds(await loading));
  say('  searches meanwhile', `${mean(during.map(({ perSecond }) => perSecond)).toFixed(1)}/s`);

  // Asks every question once, so that its embedding is cached and the rest measures only searching.
  await runLoad({ port: service.port, requests, connections: CLIENTS, seconds: null });
  await search(service, BASELINE_SECONDS);
  say('searches at rest', describe(await search(service, BASELINE_SECONDS)));
  say('memory after warm-up', `${residentMb(service.process.pid)} MB`);

  for (const [name, changed] of [
    ['five changed prices', rows.slice(0, 5)],
    ['a hundred changed prices', rows.slice(100, 200)],
  ] as const) {
    const file = writeChanged(changed);
    const [load, importMs] = await Promise.all([
      search(service, BASELINE_SECONDS),
      Bun.sleep(1000).then(() => timed(() => importRows(file))),
    ]);
    say(`searches while ${name} are imported`, `${describe(load)}; import ${seconds(importMs)}`);
  }
  const sizes: number[] = [];
  const roundsMax = (Number(values.minutes) * 60) / BASELINE_SECONDS;
  for (let round = 0; round < roundsMax; round++) {
    const first = (round * 100) % (rows.length - 100);
    const file = writeChanged(rows.slice(first, first + 100));
    await Promise.all([search(service, BASELINE_SECONDS), importRows(file)]);
    sizes.push(residentMb(service.process.pid) ?? Number.NaN);
  }
  say(
    `memory over ${sizes.length} imports of a hundred`,
    `${Math.min(...sizes)} to ${Math.max(...sizes)} MB`,
  );

  say('/healthz at rest', describeTimes(await healthDuring(service, Bun.sleep(5000))));
  const whole = writeChanged(rows);
  let importMs = 0;
  const importing = timed(() => importRows(whole)).then((ms) => (importMs = ms));
  const health = await healthDuring(service, importing);
  say(
    `/healthz while ${rows.length} are imported`,
    `${describeTimes(health)}; import ${seconds(importMs)}`,
  );
  say('searches after it', describe(await search(service, BASELINE_SECONDS)));
  say('memory after it', `${residentMb(service.process.pid)} MB`);
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

function say(what: string, figure: string): void {
  console.log(`${what.padEnd(44)} ${figure}`);
}

function readRows(path: string): { name: string }[] {
  const bytes = readFileSync(path);
  const text = new TextDecoder().decode(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { name: string });
}

/** Writes the rows with changed prices to a file. */
function writeChanged(changed: readonly object[]): string {
  const file = join(folder, 'changed.jsonl');
  const lines = changed.map((row) => `${JSON.stringify({ ...row, price: price() })}\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

function price(): string {
  return (10 + Math.floor(Math.random() * 9000) / 100).toFixed(2);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Milliseconds until the catalogue is in memory, or the limit if that takes longer. */
async function untilInMemory(opsPort: number): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startedMs;
    const metrics = await fetch(`http://127.0.0.1:${opsPort}/metrics`).then((answer) =>
      answer.text(),
    );
    const bytes = Number(/^vitrine_index_bytes (\S+)$/m.exec(metrics)?.[1]);
    if (bytes > 0 || elapsedMs > IN_MEMORY_WITHIN_MS) return elapsedMs;
    await Bun.sleep(SCRAPE_MS);
  }
}

/** Response times of `/healthz`, sampled until the work is done. */
async function healthDuring({ port }: Service, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    times.push(await timed(() => fetch(`http://127.0.0.1:${port}/healthz`).then((a) => a.text())));
    await Bun.sleep(LOOK_MS);
  }
  await over;
  return times;
}

function describe({ perSecond, p50Ms, p99Ms }: LoadResult): string {
  return `${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}

function describeTimes(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

function seconds(ms: number): string {
  return ms >= IN_MEMORY_WITHIN_MS ? `not within ${ms / 1000} s` : `${(ms / 1000).toFixed(1)} s`;
}
