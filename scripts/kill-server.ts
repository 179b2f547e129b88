/**
 * Kills a libSQL server and the two instances of the service that use it, in turn and under load. Counts
 * the acknowledged hits that were lost, the keyed hits that were stored more than once, and the answers
 * by status:
 *
 *   bun scripts/kill-server.ts SQLD [--cycles 20] [--binary FILE]
 *
 * Half of the clients send an Idempotency-Key and repeat a hit until it is answered 201. Exit code 1 for
 * a lost or repeated hit, or an answer other than 201 and 503.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hitOf, posted } from '../tests/support/hits.ts';
import { run, type Serving, SOURCE_COMMAND, serve } from '../tests/support/processes.ts';
import { type ServerProcess, startServerBinary } from '../tests/support/server-binary.ts';
import { findProgram } from './bench/vitrine.ts';

const INSTANCES = 2;
const CLIENTS_PER_INSTANCE = 8;
/** Time under load before each kill, and how long the server then stays away, at most. */
const LOADED_MS = 1500;
const AWAY_MS = 1000;
const PAUSE_MS = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cycles: { type: 'string', default: '20' }, binary: { type: 'string' } },
});
const [sqld] = positionals;
if (sqld === undefined) throw new Error('Name the binary of a libSQL server.');
const command = values.binary === undefined ? SOURCE_COMMAND : findProgram(values.binary).command;

const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-server-'));
const acknowledged = new Set<string>();
const keyedPaths = new Set<string>();
const statuses = new Map<string, number>();
const recoveries: number[] = [];
let isOver = false;
let server = await startServerBinary(sqld, folder);
const environment = { DATABASE_URL: server.url };
const instances: Serving[] = [];
try {
  const apiKey = await initialize();
  for (let at = 0; at < INSTANCES; at++) instances.push(await startInstance(at));
  const clients = instances.flatMap((_, at) =>
    Array.from({ length: CLIENTS_PER_INSTANCE }, (__, client) =>
      postUntilOver(at, { apiKey, isKeyed: client % 2 === 0, name: `${at}-${client}` }),
    ),
  );
  for (let cycle = 0; cycle < Number(values.cycles); cycle++) {
    await Bun.sleep(LOADED_MS * (0.25 + 0.75 * Math.random()));
    if (cycle % 2 === 0) await killServer();
    else await killInstance(((cycle - 1) / 2) % INSTANCES);
  }
  await Bun.sleep(LOADED_MS);
  isOver = true;
  await Promise.all(clients);
  await report();
} finally {
  isOver = true;
  for (const { process } of instances) process.kill('SIGKILL');
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function initialize(): Promise<string> {
  const data = dataOf(0);
  const { stdout } = await run(command, ['init', '--org', 'Acme', '--data', data, '--json'], {
    environment,
  });
  await run(command, ['org', 'set', '--unlimited', '--data', data], { environment });
  return (JSON.parse(stdout) as { apiKey: string }).apiKey;
}

function dataOf(at: number): string {
  const data = join(folder, `instance-${at}`);
  mkdirSync(data, { recursive: true });
  return data;
}

function startInstance(at: number): Promise<Serving> {
  return serve(command, ['--data', dataOf(at), '--embedder', 'off'], { environment });
}

async function killServer(): Promise<void> {
  const port = Number(new URL(server.url).port);
  await server.close();
  await Bun.sleep(AWAY_MS * Math.random());
  server = await startServerBinary(sqld!, folder, { port });
  const before = acknowledged.size;
  const backMs = performance.now();
  while (acknowledged.size === before) await Bun.sleep(PAUSE_MS / 10);
  recoveries.push(performance.now() - backMs);
}

async function killInstance(at: number): Promise<void> {
  const { process } = instances[at]!;
  const gone = once(process, 'close');
  process.kill('SIGKILL');
  await gone;
  instances[at] = await startInstance(at);
}

/** Posts hits one after another. A keyed hit is repeated until it is acknowledged or the run is over. */
async function postUntilOver(
  at: number,
  { apiKey, isKeyed, name }: { apiKey: string; isKeyed: boolean; name: string },
): Promise<void> {
  for (let count = 0; !isOver; count++) {
    const path = `/products/${name}-${count}`;
    const request = posted(hitOf('acme', { path }), {
      'x-api-key': apiKey,
      ...(isKeyed && { 'idempotency-key': `${name}-${count}` }),
    });
    if (isKeyed) keyedPaths.add(path);
    while (!(await postOnce(`${instances[at]!.url}/rest/hits/`, request)) && isKeyed && !isOver)
      await Bun.sleep(PAUSE_MS);
  }
}

async function postOnce(url: string, request: RequestInit): Promise<boolean> {
  const answer = await fetch(url, request).catch(() => null);
  const text = await answer?.text().catch(() => null);
  const status = text == null ? 'no answer' : String(answer!.status);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status === '201') acknowledged.add((JSON.parse(text!) as { id: string }).id);
  else await Bun.sleep(PAUSE_MS);
  return status === '201';
}

async function report(): Promise<void> {
  const rows = await readHits(server);
  const ids = new Set(rows.map(([id]) => id));
  const lost = [...acknowledged].filter((id) => !ids.has(id)).length;
  const times = new Map<string, number>();
  for (const [, path] of rows) times.set(path, (times.get(path) ?? 0) + 1);
  const repeated = [...keyedPaths].filter((path) => (times.get(path) ?? 0) > 1).length;
  const others = [...statuses.keys()].filter((status) => !/^(201|503|no answer)$/.test(status));
  console.log(
    `${values.cycles} kills, ${acknowledged.size} hits acknowledged, ${lost} lost, ${repeated} of ${keyedPaths.size} keyed hits repeated.`,
  );
  console.log(
    `Answers: ${[...statuses].map(([status, count]) => `${status} ${count}`).join(', ')}.`,
  );
  console.log(
    `First hit after the server was back: at most ${Math.max(0, ...recoveries).toFixed(0)} ms.`,
  );
  if (lost + repeated + others.length > 0) process.exitCode = 1;
}

/** Ids and paths of all stored hits, as the server itself tells them. */
async function readHits({ url }: ServerProcess): Promise<[id: string, path: string][]> {
  const rows: [string, string][] = [];
  for (let offset = 0; ; offset += 10_000) {
    const sql = `SELECT body ->> 'id', body ->> 'path' FROM hits ORDER BY rowid LIMIT 10000 OFFSET ${offset}`;
    const answer = await fetch(`${url}/v2/pipeline`, {
      method: 'POST',
      body: JSON.stringify({ requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }] }),
    });
    const { results } = (await answer.json()) as {
      results: [{ response: { result: { rows: { value: string }[][] } } }];
    };
    const page = results[0].response.result.rows;
    rows.push(...page.map(([id, path]) => [id!.value, path!.value] as [string, string]));
    if (page.length < 10_000) return rows;
  }
}
