/**
 * Measures the cost of a hit that is on disk before the response, and the cost of recording own
 * hits for a search. bench.ts includes these rows; on its own: `bun scripts/bench/hits.ts [SECONDS]
 * [ROUNDS]`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleFiles } from '../../src/assets/sample-files.ts';
import { hitRequests } from './hit-requests.ts';
import type { HitsServerReport } from './hits-server.ts';
import { type LoadResult, runLoad, searchRequests } from './load.ts';
import { busySeconds, Processes, residentMb, runToEnd } from './processes.ts';
import { type Row, renderTable, rowOf, withRatios } from './table.ts';
import { findProgram, type Prepared, type Program, prepareData } from './vitrine.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;

/** Waits for the disk that are timed, each for as much as a commit of 64 hits. */
const SYNCS = 300;
const SYNCED_BYTES = 64 * 1024;

const ON_DISK = 'hits, on disk when answered';
const NO_DATABASE = 'hits, same route without a database';
const NOTED = 'search, its traffic recorded';
const NOT_NOTED = 'search, not recorded';

const QUESTIONS = [
  'espresso cup',
  'filter paper',
  'hand grinder',
  'gift for a coffee lover',
  'mug',
];

interface Contest {
  readonly processes: Processes;
  readonly program: Program;
  /** An empty folder for the benchmark. */
  readonly folder: string;
  readonly seconds: number;
  /** Rounds per variant, run alternately. The median round counts. */
  readonly rounds: number;
}

export async function measureHits(
  contest: Contest,
): Promise<{ rows: readonly Row[]; notes: readonly string[] }> {
  const { program, folder } = contest;
  const data = join(folder, 'hits-data');
  const prepared = await prepareData(program, { data, copyOf: undefined });
  const catalogue = join(folder, 'hits-catalogue.jsonl');
  const { offerings } = sampleFiles();
  writeFileSync(catalogue, offerings.replaceAll('"pictures/', '"https://shop.example/pictures/'));
  await runToEnd([...program.command, 'catalog', 'import', catalogue, '--data', data]);
  const organization = (
    JSON.parse(await runToEnd([...program.command, 'org', 'list', '--data', data, '--json'])) as [
      { id: string },
    ]
  )[0].id;
  const hits = { requests: hitRequests(organization, prepared.apiKey), status: 201 };
  const path = '/rest/search/v3/?skip_scoring=true&q=';
  const searches = {
    requests: searchRequests(QUESTIONS, { path, apiKey: prepared.apiKey }),
    status: 200,
  };
  const [whole, bare] = await compare(contest, prepared, {
    ...hits,
    variants: ['whole', 'no-database'],
  });
  const [noted, silent] = await compare(contest, prepared, {
    ...searches,
    variants: ['whole', 'no-own-traffic'],
  });
  return {
    rows: [
      toRow(ON_DISK, whole!),
      toRow(NO_DATABASE, bare!),
      toRow(NOTED, noted!),
      toRow(NOT_NOTED, silent!),
    ],
    notes: [
      `${ON_DISK}: ${ratio(whole!, bare!)} × ${NO_DATABASE}, ${contest.rounds} rounds each, taking turns; the generator used ${whole!.load.generatorCores.toFixed(2)} and ${bare!.load.generatorCores.toFixed(2)} cores.`,
      `${NOTED}: ${ratio(noted!, silent!)} × ${NOT_NOTED}.`,
      `${ON_DISK}, at half of that rate, sent on schedule: ${steadyText(whole!)}; ${NO_DATABASE}, at half of its own: ${steadyText(bare!)}. Latencies count from when a request was due.`,
      `The disk alone, a wait for ${SYNCED_BYTES / 1024} KB: ${await timeSyncs(folder)}.`,
      `Processor time of an answer, recording included: ${[whole!, bare!, noted!, silent!].map(({ cpuMicroseconds }) => `${cpuMicroseconds.toFixed(0)} µs`).join(', ')}, in the order of the rows.`,
    ],
  };
}

interface Outcome {
  readonly load: LoadResult;
  /** At half the rate of `load`, sent on schedule. */
  readonly steady: LoadResult;
  readonly residentMb: number | null;
  /** Processor time per response, which does not depend on other load. */
  readonly cpuMicroseconds: number;
}

/**
 * Measures the variants alternately, each with its own process and copy of the data. Returns each
 * median round.
 */
async function compare(
  { processes, folder, seconds, rounds, program }: Contest,
  prepared: Prepared,
  {
    requests,
    status,
    variants,
  }: { requests: readonly Uint8Array[]; status: number; variants: string[] },
): Promise<Outcome[]> {
  const servers = [];
  for (const variant of variants) {
    const data = mkdtempSync(join(folder, `${variant}-`));
    await prepareCopy(program, prepared.data, data);
    const script = join(import.meta.dir, 'hits-server.ts');
    const log = join(folder, `${variant}.log`);
    const server = processes.start([process.execPath, script, data, variant], { log });
    const { value } = await server.stdout.getReader().read();
    if (value === undefined) throw new Error(await Bun.file(log).text());
    const { port } = JSON.parse(new TextDecoder().decode(value)) as HitsServerReport;
    await runLoad({ port, requests, status, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    servers.push({ server, port, loads: [] as LoadResult[], cpu: { seconds: 0, answers: 0 } });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, port, loads, cpu } of servers) {
      const before = busySeconds(server.pid);
      const load = await runLoad({ port, requests, status, connections: CONNECTIONS, seconds });
      loads.push(load);
      cpu.seconds += busySeconds(server.pid) - before;
      cpu.answers += load.answers;
    }
  }
  const outcomes: Outcome[] = [];
  for (const { server, port, loads, cpu } of servers) {
    const sorted = loads.toSorted((a, b) => a.perSecond - b.perSecond);
    const load = sorted[Math.floor(sorted.length / 2)]!;
    const steady = await runLoad({
      ...{ port, requests, status, connections: CONNECTIONS, seconds },
      scheduledPerSecond: load.perSecond / 2,
    });
    const memory = residentMb(server.pid);
    await processes.stop(server);
    outcomes.push({
      load,
      steady,
      residentMb: memory,
      cpuMicroseconds: (cpu.seconds / cpu.answers) * 1e6,
    });
  }
  return outcomes;
}

/** How long the disk takes for one commit after the other, which a hit waits for. */
async function timeSyncs(folder: string): Promise<string> {
  await using file = await open(join(folder, 'synced'), 'w');
  const bytes = new Uint8Array(SYNCED_BYTES);
  const times: number[] = [];
  while (times.length < SYNCS) {
    await file.write(bytes);
    const startedMs = performance.now();
    await file.datasync();
    times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor(SYNCS * share)]!.toFixed(2)} ms`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}`;
}

/** A copy of the data, with the same key. */
async function prepareCopy(program: Program, from: string, to: string): Promise<void> {
  rmSync(to, { recursive: true });
  await prepareData(program, { data: to, copyOf: from });
}

function toRow(name: string, { load, residentMb }: Outcome): Row {
  const nothing = { wordsSeconds: null, vectorSeconds: null };
  return rowOf(name, { connections: CONNECTIONS, load, residentMb, ...nothing });
}

function steadyText({ steady: { perSecond, p50Ms, p99Ms } }: Outcome): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
}

function ratio(one: Outcome, other: Outcome): string {
  return (one.load.perSecond / other.load.perSecond).toFixed(2);
}

if (import.meta.main) {
  const [seconds = '5', rounds = '3'] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-hits-'));
  const processes = new Processes();
  try {
    const contest = { processes, program: findProgram(undefined), folder };
    const measured = await measureHits({
      ...contest,
      seconds: Number(seconds),
      rounds: Number(rounds),
    });
    const rows = withRatios([...measured.rows], { miniSearch: '', bare: NO_DATABASE });
    console.log(`${renderTable(rows)}\n\n${measured.notes.join('\n')}`);
  } finally {
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
