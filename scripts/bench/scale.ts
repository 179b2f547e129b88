import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runLoad, searchRequests } from './load.ts';
import { freePort, type Processes, residentMb } from './processes.ts';
import { type Prepared, type Program, type Service, startService, V3_PATH } from './vitrine.ts';

const IN_MEMORY_WITHIN_MS = 600_000;
const LOOK_MS = 20;

/** A running service with its listener for metrics. */
export interface ObservedService extends Service {
  readonly opsPort: number;
  /** `performance.now()` just before the start. */
  readonly startedMs: number;
}

/** Starts a service without an embedding model. */
export async function startObserved(
  processes: Processes,
  program: Program,
  prepared: Prepared,
  further: readonly string[] = [],
): Promise<ObservedService> {
  const opsPort = await freePort();
  const flags = ['--ops-listen', `127.0.0.1:${opsPort}`, '--embedder', 'off', ...further];
  const startedMs = performance.now();
  const service = await startService(processes, program, prepared, flags);
  return { ...service, opsPort, startedMs };
}

/** Waits until indexes take that much memory. Throws if that takes longer than ten minutes. */
export async function untilInMemory({ opsPort }: ObservedService, bytes: number): Promise<void> {
  const giveUpMs = performance.now() + IN_MEMORY_WITHIN_MS;
  while (performance.now() < giveUpMs) {
    const metrics = await fetch(`http://127.0.0.1:${opsPort}/metrics`).then((a) => a.text());
    if (Number(/^vitrine_index_bytes (\S+)$/m.exec(metrics)?.[1]) >= bytes) return;
    await Bun.sleep(LOOK_MS);
  }
  throw new Error('The catalogue is not in memory.');
}

export interface Observed<Result> {
  readonly result: Result;
  readonly seconds: number;
  /** Most resident memory of the service meanwhile, above that before. */
  readonly aboveRestMb: number;
  readonly healthP99Ms: number;
  readonly healthMostMs: number;
}

/** Asks a service for its health and looks at its memory until the work is done. */
export async function observe<Result>(
  { port, process }: Service,
  work: () => Promise<Result>,
): Promise<Observed<Result>> {
  const restMb = residentMb(process.pid) ?? Number.NaN;
  const times: number[] = [];
  let mostMb = restMb;
  let isOver = false;
  const startedMs = performance.now();
  let seconds = 0;
  const working = work().finally(() => {
    isOver = true;
    seconds = (performance.now() - startedMs) / 1000;
  });
  while (!isOver) {
    const askedMs = performance.now();
    await fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.text());
    times.push(performance.now() - askedMs);
    mostMb = Math.max(mostMb, residentMb(process.pid) ?? Number.NaN);
    await Bun.sleep(LOOK_MS);
  }
  const result = await working;
  times.sort((left, right) => left - right);
  return {
    ...{ result, seconds, aboveRestMb: mostMb - restMb },
    healthP99Ms: times[Math.floor((times.length - 1) * 0.99)]!,
    healthMostMs: times.at(-1)!,
  };
}

/** Runs a command to its end and returns the most memory it was seen to use, in megabytes. */
export async function peakOf(command: readonly string[], log: string): Promise<number> {
  const child = Bun.spawn([...command], {
    env: {},
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: Bun.file(log),
  });
  let peakMb = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peakMb = Math.max(peakMb, residentMb(child.pid) ?? 0);
    await Promise.race([child.exited, Bun.sleep(LOOK_MS)]);
  }
  if (child.exitCode !== 0)
    throw new Error(`${command.join(' ')}: ${readFileSync(log, 'utf8').slice(-2000)}`);
  return peakMb;
}

/** The latencies of v3 searches, over a number of connections. */
export function measureSearches(
  { port }: Service,
  { apiKey }: Prepared,
  {
    questions,
    connections,
    seconds,
  }: { questions: readonly string[]; connections: number; seconds: number },
) {
  const requests = searchRequests(questions, { path: V3_PATH, apiKey });
  return runLoad({ port, requests, connections, seconds });
}

/** Size in megabytes of all files in a folder and those below it. */
export function megabytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const stats = names.map((name) => statSync(join(folder, name)));
  return stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0) / 1e6;
}
