import { createReadStream, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Figures } from './curves.ts';
import { type LoadResult, runLoad } from './load.ts';
import { OPEN_SEARCH } from './opensearch.ts';
import { type Outcome, type PeerTask, reportOf, withBuilt } from './peers.ts';
import { freePort, type Processes, residentMb } from './processes.ts';
import { megabytesIn } from './scale.ts';
import type { SearchServer } from './search-server.ts';
import { type Row, rowOf } from './table.ts';

/** What a search server did, asked over HTTP like vitrine. */
export interface ServerReport {
  /** From the first line of the catalogue to the first possible search. */
  readonly importSeconds: number;
  /** From the start with a full data folder to the first right answer. */
  readonly startSeconds: number;
  /** By the numbers of connections that were asked for. */
  readonly loads: readonly { readonly connections: number; readonly load: LoadResult }[];
  readonly diskMb: number;
  /** At the end; null without /proc. */
  readonly residentMb: number | null;
}

export const SERVERS: readonly SearchServer[] = [OPEN_SEARCH];

const STARTS_WITHIN_MS = 120_000;
const POLL_MS = 20;
const BATCH_LINES = 5000;
export interface ServerTask extends PeerTask {
  readonly connections: readonly number[];
  readonly warmUpSeconds: number;
}

/** Builds a server, imports the catalogue over HTTP, starts it again and asks it the questions. */
export function runServer(
  server: SearchServer,
  task: ServerTask,
  { processes, builds }: { processes: Processes; builds?: string },
): Promise<Outcome<ServerReport>> {
  const measure = (folders: { home: string; work: string }) =>
    measureServer(server, task, { processes, ...folders }).finally(() => processes.stopAll());
  return withBuilt(server, measure, builds);
}

async function measureServer(
  server: SearchServer,
  { catalogue, questions, connections, seconds, warmUpSeconds }: ServerTask,
  { processes, ...folders }: { processes: Processes; home: string; work: string },
): Promise<ServerReport> {
  const place = { ...folders, port: await freePort(), otherPort: await freePort() };
  const { port } = place;
  const log = join(place.work, 'log');
  const origin = `http://127.0.0.1:${port}`;
  const start = () => {
    const { command, env } = server.command(place);
    return processes.startQuietly(command, { log, env });
  };
  const untilAnswering = async (isRight: () => Promise<boolean>) => {
    const giveUpMs = performance.now() + STARTS_WITHIN_MS;
    while (!(await isRight().catch(() => false))) {
      const hasEnded = running.exitCode !== null || running.signalCode !== null;
      if (hasEnded || performance.now() > giveUpMs)
        throw new Error(`The server does not start:\n${readFileSync(log, 'utf8')}`);
      await Bun.sleep(POLL_MS);
    }
  };
  let running = start();
  await untilAnswering(async () => (await fetch(origin)).ok);
  await server.create(origin);
  const importStartedMs = performance.now();
  await addAll(server, origin, catalogue);
  await server.publish(origin);
  const importSeconds = (performance.now() - importStartedMs) / 1000;
  await server.settle(origin);
  const requests = questions.map((question) => server.request(question));
  const first = () => idsOfFirst(server, { port, request: requests[0]! });
  const right = await first();
  if (right.length === 0) throw new Error(`\n${server.name} finds nothing for “${questions[0]}”`);
  await processes.stop(running);
  const startedMs = performance.now();
  running = start();
  await untilAnswering(async () => Bun.deepEquals(await first(), right));
  const startSeconds = (performance.now() - startedMs) / 1000;
  await runLoad({
    ...{ port, requests, seconds: warmUpSeconds },
    connections: Math.max(...connections),
  });
  const loads = [];
  for (const count of connections)
    loads.push({
      connections: count,
      load: await runLoad({ port, requests, connections: count, seconds }),
    });
  const resident = residentMb(running.pid);
  await processes.stop(running);
  const diskMb = megabytesIn(join(place.work, 'data'));
  return { importSeconds, startSeconds, loads, diskMb, residentMb: resident };
}

/** Sends all lines, in as many requests at a time as there are cores. */
async function addAll(server: SearchServer, origin: string, catalogue: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(catalogue) });
  const sending = new Set<Promise<void>>();
  let [batch, first]: [string[], number] = [[], 0];
  const send = async () => {
    if (sending.size >= availableParallelism()) await Promise.race(sending);
    const sent = server.add(origin, batch, first).finally(() => sending.delete(sent));
    sending.add(sent);
    [batch, first] = [[], first + batch.length];
  };
  for await (const line of lines) if (batch.push(line) === BATCH_LINES) await send();
  if (batch.length > 0) await send();
  await Promise.all(sending);
}

async function idsOfFirst(
  server: SearchServer,
  { port, request }: { port: number; request: Uint8Array },
): Promise<string[]> {
  let ids: string[] = [];
  const onBody = (body: string) => {
    ids = server.idsIn(body);
  };
  await runLoad({ port, requests: [request], connections: 1, seconds: null, onBody });
  return ids;
}

/** What a server contributes to the curves: asked by one client, then by several. */
export function figuresOfServer(rows: number, outcome: Outcome<ServerReport>): Figures {
  const { importSeconds, startSeconds, loads, diskMb, residentMb } = reportOf(outcome);
  const [one, many] = [loads[0]!.load, loads.at(-1)!.load];
  return {
    ...{ rowsPerSecond: rows / importSeconds, startSeconds, diskMb, residentMb },
    ...{ p50Ms: one.p50Ms, p99Ms: one.p99Ms, perSecond: many.perSecond },
    ...{ manyP50Ms: many.p50Ms, manyP99Ms: many.p99Ms },
  };
}

/** The rows of the servers in the table of the benchmark, and a note on each. */
export async function measureServers(
  task: ServerTask,
  { processes, progress }: { processes: Processes; progress: (name: string) => void },
): Promise<{ rows: Row[]; notes: string[] }> {
  const rows: Row[] = [];
  const notes: string[] = [];
  for (const server of SERVERS) {
    const { name } = server;
    progress(name);
    const outcome = await runServer(server, task, { processes });
    notes.push(describeServer(name, outcome));
    if ('skipped' in outcome) continue;
    const { loads, residentMb: resident, importSeconds } = outcome.report;
    const further = { residentMb: resident, wordsSeconds: importSeconds, vectorSeconds: null };
    rows.push(...loads.map((load) => rowOf(name, { ...load, ...further })));
  }
  return { rows, notes };
}

/** A sentence with every figure of a server, or with why it has none. */
export function describeServer(name: string, outcome: Outcome<ServerReport>): string {
  if ('skipped' in outcome) return `${name}: skipped: ${outcome.skipped}.`;
  const { report } = outcome;
  const figures = [
    `import ${report.importSeconds.toFixed(1)} s`,
    `start ${report.startSeconds.toFixed(1)} s`,
    ...report.loads.map(
      ({ connections, load }) =>
        `${connections} at a time: p50 ${load.p50Ms.toFixed(2)} ms, p99 ${load.p99Ms.toFixed(2)} ms, ${load.perSecond.toFixed(0)}/s`,
    ),
    `${report.diskMb.toFixed(1)} MB on disk`,
  ];
  if (report.residentMb !== null) figures.push(`${report.residentMb} MB in memory`);
  return `${name}, over HTTP: ${figures.join(', ')}.`;
}
