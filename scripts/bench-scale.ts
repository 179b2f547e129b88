/**
 * Measures how import, start, search, memory and disk grow with the catalogue, by words alone:
 *
 *   bun scripts/bench-scale.ts [--rows 100000,500000,1000000] [--vocabulary 50000]
 *     [--parts start,search,peers,change,served] [--folder FOLDER] [--binary FILE] [--seconds 10]
 *
 *   start   until the catalogue is in memory: built, then read from its file
 *   search  v3 by one client and by eight
 *   peers   the same questions to engines in other languages, without HTTP
 *   change  1 % of the offerings get other texts, beside a running service
 *   served  the whole file, imported beside a running service that is empty
 *
 * The first run also measures the import by a command alone. Feeds and data folders stay in FOLDER,
 * if given, and are used again. A million rows need 2 GB there and take some minutes in each part.
 */
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type FeedOptions, feedLines, feedOfferings } from './bench/feed.ts';
import type { LoadResult } from './bench/load.ts';
import { measurePeers } from './bench/peers.ts';
import { Processes, residentMb, untilIdle } from './bench/processes.ts';
import {
  measureSearches,
  type Observed,
  observe,
  peakOf,
  sizeMb,
  startObserved,
  untilInMemory,
} from './bench/scale.ts';
import { findProgram, type Prepared, prepareData } from './bench/vitrine.ts';

const PARTS = ['start', 'search', 'peers', 'change', 'served'] as const;

const CLIENTS = 8;
const QUESTIONS = 2000;
const QUESTION_WORDS = 2;
const DESCRIPTION_WORDS = 18;
const CHANGED_SHARE = 0.01;
const CHANGED_SEED = 11;

/** An index of a document in memory takes more than this. */
const BYTES_PER_DOCUMENT_MIN = 100;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000,500000,1000000' },
    parts: { type: 'string', default: PARTS.join(',') },
    vocabulary: { type: 'string', default: '50000' },
    folder: { type: 'string' },
    binary: { type: 'string' },
    seconds: { type: 'string', default: '10' },
  },
});

type Part = (typeof PARTS)[number];
const parts = new Set(values.parts.split(','));
const has = (part: Part) => parts.has(part);
const vocabulary = Number(values.vocabulary);
const seconds = Number(values.seconds);
const program = findProgram(values.binary);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vitrine-scale-'));
const processes = new Processes();

console.log(program.label);
try {
  for (const rows of values.rows.split(',').map(Number)) await measure(rows);
} finally {
  await processes.stopAll();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(rows: number): Promise<void> {
  console.log(`\n${rows} offerings`);
  const feed = await makeFeed(`feed-${rows}-${vocabulary}`, { rows });
  const prepared = await importAlone(rows, feed);
  const { data } = prepared;
  if (has('start')) await measureStarts(rows, prepared);
  if (has('search') || has('change')) await measureService(rows, prepared);
  if (has('peers')) await reportPeers(rows, feed);
  say('database on disk', `${sizeMb(data, 'vitrine.db').toFixed(0)} MB`);
  if (has('served')) await importServed(rows, feed);
}

/** Imports into a new data folder, unless there is one from an earlier run. */
async function importAlone(rows: number, feed: string): Promise<Prepared> {
  const data = join(folder, `data-${rows}-${vocabulary}`);
  if (existsSync(data)) return prepareData(program, { data, copyOf: undefined });
  const partial = `${data}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const prepared = await prepareData(program, { data: partial, copyOf: undefined });
  const tiny = await makeFeed('feed-tiny', { rows: 1 });
  const restMb = await peakOf(importCommand(tiny, partial), `${data}.log`);
  const startedMs = performance.now();
  const peakMb = await peakOf(importCommand(feed, partial), `${data}.log`);
  const took = (performance.now() - startedMs) / 1000;
  say('import by a command alone', `${rate(rows, took)}; ${peakMb - restMb} MB above one row's`);
  renameSync(partial, data);
  return { ...prepared, data };
}

async function measureStarts(rows: number, prepared: Prepared): Promise<void> {
  rmSync(join(prepared.data, 'index'), { recursive: true, force: true });
  for (const how of ['built', 'from its file']) {
    const service = await startObserved(processes, program, prepared);
    const readyMs = performance.now() - service.startedMs;
    const { aboveRestMb } = await observe(service, () =>
      untilInMemory(service, rows * BYTES_PER_DOCUMENT_MIN),
    );
    const took = (performance.now() - service.startedMs) / 1000;
    say(
      `start until in memory, ${how}`,
      `${took.toFixed(1)} s (ready ${(readyMs / 1000).toFixed(1)} s), ${aboveRestMb} MB above an empty one`,
    );
    await untilIdle(service.process.pid);
    say('  memory at rest', `${residentMb(service.process.pid)} MB`);
    await processes.stop(service.process);
  }
  const names = await Array.fromAsync(new Bun.Glob('*.index').scan(join(prepared.data, 'index')));
  for (const name of names)
    say('index on disk', `${sizeMb(prepared.data, 'index', name).toFixed(0)} MB`);
}

/** Searches a service at rest, and while it takes an import of a hundredth. */
async function measureService(rows: number, prepared: Prepared): Promise<void> {
  const service = await startObserved(processes, program, prepared);
  await untilInMemory(service, rows * BYTES_PER_DOCUMENT_MIN);
  const questions = questionsOf(rows);
  const search = (connections: number, duration = seconds) =>
    measureSearches(service, prepared, { questions, connections, seconds: duration });
  await search(1, 2);
  if (has('search')) {
    for (const clients of [1, CLIENTS])
      say(`v3 search, ${clients} at a time`, describe(await search(clients)));
    say('  memory then', `${residentMb(service.process.pid)} MB`);
  }
  if (has('change')) {
    const changed = Math.ceil(rows * CHANGED_SHARE);
    const seed = CHANGED_SEED + (Date.now() % 1000) * 2;
    const file = await makeFeed('changed', { rows: changed, seed });
    const command = importCommand(file, prepared.data);
    const observed = await observe(service, () => peakOf(command, `${prepared.data}.log`));
    rmSync(file);
    say(`import of ${changed} beside it`, describeImport(changed, observed));
    say('  searches at once after it', describe(await search(1, 2)));
  }
  await processes.stop(service.process);
}

async function reportPeers(rows: number, feed: string): Promise<void> {
  const task = { catalogue: feed, questions: questionsOf(rows), seconds };
  for (const note of (await measurePeers(task)).notes) console.log(note);
}

async function importServed(rows: number, feed: string): Promise<void> {
  const data = join(folder, `served-${rows}`);
  const prepared = await prepareData(program, { data, copyOf: undefined });
  const service = await startObserved(processes, program, prepared);
  await untilIdle(service.process.pid);
  const observed = await observe(service, async () => {
    const commandMb = await peakOf(importCommand(feed, data), `${data}.log`);
    await untilInMemory(service, rows * BYTES_PER_DOCUMENT_MIN);
    return commandMb;
  });
  say('import beside an empty service', describeImport(rows, observed));
  await untilIdle(service.process.pid);
  say('  memory of the service then', `${residentMb(service.process.pid)} MB`);
  await processes.stop(service.process);
  rmSync(data, { recursive: true });
}

function importCommand(file: string, data: string): string[] {
  return [...program.command, 'catalog', 'import', file, '--progress', 'off', '--data', data];
}

/** Writes a feed into the folder, unless it is there. */
async function makeFeed(
  name: string,
  options: Pick<FeedOptions, 'rows' | 'seed'>,
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.jsonl`);
  if (existsSync(file)) return file;
  const lines = feedLines({
    ...{ bytes: Number.POSITIVE_INFINITY, words: DESCRIPTION_WORDS, vocabulary, ...options },
  });
  await pipeline(lines, createWriteStream(`${file}.partial`));
  renameSync(`${file}.partial`, file);
  return file;
}

/** Adjacent words of names. */
function questionsOf(rows: number): string[] {
  const offerings = feedOfferings({
    ...{ rows: Math.min(rows, QUESTIONS), words: DESCRIPTION_WORDS, vocabulary },
  });
  return [...offerings].map(({ name }) => name.split(' ').slice(0, QUESTION_WORDS).join(' '));
}

function say(what: string, figure: string): void {
  console.log(`${what.padEnd(36)} ${figure}`);
}

function rate(rows: number, took: number): string {
  return `${took.toFixed(1)} s, ${Math.round(rows / took)} rows/s`;
}

function describe({ perSecond, p50Ms, p99Ms }: LoadResult): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${perSecond.toFixed(1)}/s`;
}

function describeImport(
  rows: number,
  { result, seconds: took, aboveRestMb, healthP99Ms, healthMostMs }: Observed<number>,
): string {
  const health = `/healthz p99 ${healthP99Ms.toFixed(0)} ms, most ${healthMostMs.toFixed(0)} ms`;
  return `${rate(rows, took)}; ${health}; service ${aboveRestMb} MB above rest, command ${result} MB`;
}
