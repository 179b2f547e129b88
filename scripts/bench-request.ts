/**
 * Prints what one request costs in process, without sockets: processor time, p50 and p99, and for a
 * search the mean time of each stage.
 *
 *   bun scripts/bench-request.ts DATA [--queries queries.tsv] [--only NAME] [--seconds 3]
 *
 * DATA is a data folder that no service uses; the measurement runs on a copy. `--only` limits the run
 * to the requests whose name begins with NAME, for example to profile them:
 *
 *   bun --cpu-prof --cpu-prof-interval=200 scripts/bench-request.ts DATA --only 'search v3'
 *
 * Run it on a quiet machine: other load does not change the processor time much, but p50 and p99.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hostRulesOf } from '../src/cli/serve.ts';
import { readConfig } from '../src/config.ts';
import { createHandler, type Handler } from '../src/http/app.ts';
import { trustProxies } from '../src/http/exchange/client-address.ts';
import { systemPlatform } from '../src/platform.ts';
import { type OpenServices, openServices } from '../src/services.ts';
import { hitRequests } from './bench/hit-requests.ts';
import { findProgram, prepareData } from './bench/vitrine.ts';

const HOST = 'http://127.0.0.1';
const CONNECTION = { address: () => '127.0.0.1', keepOpen: () => undefined };

/** Requests that are answered at the same time: hits share commits. */
const HITS_AT_ONCE = 64;

/** Rounds per kind of request, one after the other; the fastest counts. */
const ROUNDS = 5;

/** Passes over all questions for the times of the stages. */
const PASSES = 40;

/** Questions without `--queries`. */
const QUESTIONS = ['espresso cup', 'filter paper', 'gift for a coffee lover', 'mug under 20'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    queries: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '3' },
  },
});
const [data] = positionals;
if (data === undefined)
  throw new Error('usage: bun scripts/bench-request.ts DATA [--queries FILE] [--only NAME]');
const roundMs = (Number(values.seconds) * 1000) / ROUNDS;

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-request-'));
let services: OpenServices | null = null;
try {
  const prepared = await prepareData(findProgram(undefined), {
    data: join(folder, 'data'),
    copyOf: data,
  });
  const config = readConfig({ dataFolder: prepared.data, flags: {}, environment: {}, file: {} });
  // The check of the pages would run this script again.
  const runSelf = () => Promise.resolve({ exitCode: 0, stderr: '' });
  const platform = { ...systemPlatform('warn'), runSelf };
  services = await openServices({ config, platform, create: false });
  services.startWorkers();
  const handler = createHandler({
    services,
    hostRules: hostRulesOf(config),
    trustedProxies: trustProxies([]),
  });
  await run(services, handler, prepared.apiKey);
} finally {
  await services?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** What is measured: a name, and the requests of a round in turn. */
interface Kind {
  readonly name: string;
  readonly requests: readonly (() => Request)[];
  readonly atOnce?: number;
  readonly status?: number;
}

async function run(services: OpenServices, handler: Handler, apiKey: string): Promise<void> {
  const organization = services.directory.organizations()[0]!;
  const headers = { 'x-api-key': apiKey, host: '127.0.0.1' };
  const get = (path: string) => () => new Request(`${HOST}${path}`, { headers });
  const questions = readQuestions();
  const ask = (path: string) => questions.map((q) => get(`${path}q=${encodeURIComponent(q)}`));
  const kinds: Kind[] = [
    { name: 'healthz', requests: [get('/healthz')] },
    { name: 'landing page', requests: [get(`/rest/org/ai/${organization.slug}`)] },
    { name: 'hit', requests: hits(organization.id, apiKey), atOnce: HITS_AT_ONCE, status: 201 },
    { name: 'search v2', requests: ask('/rest/search/v2/?') },
    { name: 'search v3', requests: ask('/rest/search/v3/?') },
    { name: 'search v3, skip_scoring', requests: ask('/rest/search/v3/?skip_scoring=true&') },
  ].filter(({ name }) => name.startsWith(values.only));
  while (services.indexes.find(organization.key) === null) await Bun.sleep(100);
  await untilVectors(handler, ask('/rest/search/v3/?'));
  for (const kind of kinds) await measure(handler, kind);
}

/** Repeats the questions until the embedding of each is cached, or is not to be had. */
async function untilVectors(handler: Handler, requests: Kind['requests']): Promise<void> {
  for (const request of requests) {
    for (;;) {
      const response = await handler(request(), CONNECTION);
      if (((await response.json()) as AnswerV3).scoring !== 'timeout') break;
      await Bun.sleep(20);
    }
  }
}

interface AnswerV3 {
  readonly scoring: string;
  readonly tookMs: number;
  readonly meta: {
    readonly timings: Readonly<Record<string, number>>;
  };
}

async function measure(handler: Handler, kind: Kind): Promise<void> {
  const { name, requests, atOnce = 1, status = 200 } = kind;
  let bytes = 0;
  const answer = async (request: Request, latencies: number[]) => {
    const startedMs = performance.now();
    const response = await handler(request, CONNECTION);
    if (response.status !== status)
      throw new Error(`${name}: ${response.status} ${await response.text()}`);
    bytes = (await response.arrayBuffer()).byteLength;
    latencies.push(performance.now() - startedMs);
  };
  let next = 0;
  const round = async (): Promise<Cost> => {
    const latencies: number[] = [];
    const startedMs = performance.now();
    const startedCpu = process.cpuUsage();
    while (performance.now() - startedMs < roundMs) {
      const batch = Array.from({ length: atOnce }, () => requests[next++ % requests.length]!());
      await Promise.all(batch.map((request) => answer(request, latencies)));
    }
    const { user, system } = process.cpuUsage(startedCpu);
    latencies.sort((one, other) => one - other);
    const at = (share: number) => latencies[Math.floor(latencies.length * share)]!;
    return { cpuMicroseconds: (user + system) / latencies.length, p50: at(0.5), p99: at(0.99) };
  };
  await round();
  const costs: Cost[] = [];
  for (let number = 0; number < ROUNDS; number += 1) costs.push(await round());
  const best = costs.reduce((one, other) =>
    other.cpuMicroseconds < one.cpuMicroseconds ? other : one,
  );
  const { cpuMicroseconds, p50, p99 } = best;
  console.log(
    `${name.padEnd(24)} ${cpuMicroseconds.toFixed(1).padStart(7)} µs of processor, p50 ${(p50 * 1000).toFixed(0)} µs, p99 ${(p99 * 1000).toFixed(0)} µs, ${bytes} bytes`,
  );
  if (name.startsWith('search v3')) await printStages(handler, requests);
}

interface Cost {
  readonly cpuMicroseconds: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * The time of each stage, as responses report it, and of what is outside of the stages: the best of
 * several passes for each question, which other load does not disturb, and the mean over all questions.
 */
async function printStages(handler: Handler, requests: Kind['requests']): Promise<void> {
  const best = new Map<string, number[]>();
  const add = (stage: string, question: number, ms: number) => {
    const known = best.get(stage) ?? [];
    known[question] = Math.min(known[question] ?? Number.POSITIVE_INFINITY, ms);
    best.set(stage, known);
  };
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const [question, request] of requests.entries()) {
      const given = request();
      const startedMs = performance.now();
      const response = await handler(given, CONNECTION);
      const text = await response.text();
      const wholeMs = performance.now() - startedMs;
      const { tookMs, meta } = JSON.parse(text) as AnswerV3;
      for (const [stage, ms] of Object.entries(meta.timings)) add(stage, question, ms);
      const stagedMs = Object.values(meta.timings).reduce((sum, ms) => sum + ms, 0);
      add('facets, cursor', question, tookMs - stagedMs);
      add('HTTP, results as JSON', question, wholeMs - tookMs);
      add('all', question, wholeMs);
    }
  }
  for (const [stage, times] of best) {
    const meanMs = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    const slowestMs = Math.max(...times);
    console.log(
      `  ${stage.padEnd(22)} ${(meanMs * 1000).toFixed(1).padStart(7)} µs, slowest question ${(slowestMs * 1000).toFixed(0)} µs`,
    );
  }
}

function readQuestions(): readonly string[] {
  if (values.queries === undefined) return QUESTIONS;
  const lines = readFileSync(values.queries, 'utf8').split(/\r?\n/);
  return [...new Set(lines.map((line) => line.split('\t').at(-1)!.trim()))].filter(
    (text) => text !== '',
  );
}

function hits(organization: string, apiKey: string): Kind['requests'] {
  return hitRequests(organization, apiKey).map((bytes) => {
    const body = Buffer.from(bytes).toString().split('\r\n\r\n')[1]!;
    const headers = {
      'x-api-key': apiKey,
      host: '127.0.0.1',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    return () => new Request(`${HOST}/rest/hits`, { method: 'POST', headers, body });
  });
}
