/**
 * Measures a service with many small organizations, by words alone:
 *
 *   bun scripts/bench-tenants.ts [--tenants 2000] [--rows 1000] [--memory 64,auto] [--seconds 10]
 *     [--clients 8] [--binary FILE] [--folder FOLDER]
 *
 * Creates the organizations, sends each its catalogue over REST, and restarts the service. Then, for each
 * value of `index_memory_mb`: start, first searches, idle processor time, searches over all organizations
 * (Zipf, uniform) and the import of one beside them. The commands that look at all organizations come last.
 * `/healthz` is asked throughout: its delay is the time for which the event loop was busy.
 * The data folder stays in FOLDER, if given, and is used again.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { feedOfferings } from './bench/feed.ts';
import { runLoad, searchRequests } from './bench/load.ts';
import { busySeconds, Processes, residentMb, runToEnd, untilIdle } from './bench/processes.ts';
import { megabytesIn, type ObservedService, observe, startObserved } from './bench/scale.ts';
import {
  chooseTenants,
  createTenants,
  importOne,
  importTenants,
  operatorOf,
  type Tenant,
  TRAFFIC,
  tenantFeed,
  tenantsFile,
} from './bench/tenants.ts';
import { findProgram, prepareData, V3_PATH } from './bench/vitrine.ts';

const QUESTIONS = 20_000;
const IDLE_SECONDS = 10;

/** Organizations that are created and deleted beside the others. */
const ADDED = 20;

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '2000' },
    rows: { type: 'string', default: '1000' },
    memory: { type: 'string', default: '64,auto' },
    seconds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '8' },
    binary: { type: 'string' },
    folder: { type: 'string' },
  },
});

const program = findProgram(values.binary);
const rows = Number(values.rows);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vitrine-tenants-'));
mkdirSync(folder, { recursive: true });
const data = join(folder, `tenants-${values.tenants}-${rows}`);
const processes = new Processes();
const words = [...feedOfferings({ rows: QUESTIONS, words: 0, vocabulary: 50_000, seed: 5 })];
const questions = words.map(({ name }) => name.split(' ').slice(0, 2).join(' '));

console.log(program.label);
try {
  const tenants = existsSync(tenantsFile(data)) ? readTenants() : await fill();
  for (const memory of values.memory.split(',')) await tryWith(memory, tenants);
  await runCommands();
} finally {
  await processes.stopAll();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

function readTenants(): Tenant[] {
  return JSON.parse(readFileSync(tenantsFile(data), 'utf8')) as Tenant[];
}

async function fill(): Promise<Tenant[]> {
  rmSync(data, { recursive: true, force: true });
  await prepareData(program, { data, copyOf: undefined });
  const service = await start();
  const tenants = await step('create', service, () => createTenants(data, Number(values.tenants)));
  await step('import', service, () => importTenants(service.port, tenants, rows));
  await step('until idle', service, () => untilIdle(service.process.pid));
  await processes.stop(service.process);
  writeFileSync(tenantsFile(data), JSON.stringify(tenants));
  console.log(`on disk: ${megabytesIn(data).toFixed(0)} MB`);
  return tenants;
}

async function tryWith(memory: string, tenants: readonly Tenant[]): Promise<void> {
  console.log(`\nindex_memory_mb = ${memory}`);
  const service = await start('--index-memory-mb', memory);
  console.log(`ready after ${((performance.now() - service.startedMs) / 1000).toFixed(2)} s`);
  const last = tenants.at(-1)!;
  await step('first search', service, () => ask(service, last));
  await step('the same again', service, () => ask(service, last));
  await step('until idle', service, () => untilIdle(service.process.pid));
  const before = busySeconds(service.process.pid);
  await Bun.sleep(IDLE_SECONDS * 1000);
  const share = (busySeconds(service.process.pid) - before) / IDLE_SECONDS;
  console.log(
    `idle: ${(100 * share).toFixed(2)} % of a core, ${await indexMb(service)} MB of indexes`,
  );
  for (const traffic of TRAFFIC) {
    await step(traffic, service, () => searchAll(service, tenants, traffic));
    await step(`${traffic}, beside an import`, service, async () => {
      const importing = importOne(service.port, tenants[0]!, tenantFeed(rows, 1_000_000));
      await Promise.all([searchAll(service, tenants, traffic), importing]);
    });
    console.log(`${await indexMb(service)} MB of indexes`);
  }
  await processes.stop(service.process);
}

/** What looks at all organizations, with a service running. */
async function runCommands(): Promise<void> {
  const service = await start();
  await untilIdle(service.process.pid);
  const run = (...args: string[]) => runToEnd([...program.command, ...args, '--data', data]);
  const added = Array.from({ length: ADDED }, (_, n) => `added-${n}`);
  const operate = operatorOf(data);
  await step(`create ${ADDED} organizations`, service, async () => {
    for (const slug of added) await operate('org.create', { name: slug, slug, currency: 'EUR' });
  });
  await step(`delete ${ADDED} empty ones`, service, async () => {
    for (const slug of added) await operate('org.delete', { organization: slug, confirm: slug });
  });
  await step('org list', service, () => run('org', 'list', '--json'));
  await step('key list', service, () => run('key', 'list', '--org', 'tenant-1', '--json'));
  await step('audit', service, () => run('audit', '--org', 'tenant-1', '--json'));
  await step('catalog stats', service, () =>
    run('catalog', 'stats', '--org', 'tenant-1', '--json'),
  );
  await step('hits report', service, () =>
    run('hits', 'report', '--org', 'tenant-1', '--since', '1d', '--json'),
  );
  await step('metrics', service, () => indexMb(service));
  await step('doctor', service, () =>
    run('doctor', '--json').catch((error: Error) => error.message),
  );
  const backup = join(folder, 'backup.db');
  await step('backup', service, () => run('backup', backup, '--force'));
  for (const path of [backup, `${backup}.json`]) rmSync(path);
  await processes.stop(service.process);
}

function start(...flags: string[]): Promise<ObservedService> {
  return startObserved(processes, program, { data, apiKey: '' }, flags);
}

/** Prints how long it took, what it says itself, and what the service was like meanwhile. */
async function step<Result>(
  name: string,
  service: ObservedService,
  work: () => Promise<Result>,
): Promise<Result> {
  const { pid } = service.process;
  const before = busySeconds(pid);
  const observed = await observe(service, work);
  const { result, seconds, healthP99Ms, healthMostMs } = observed;
  const health = `healthz p99 ${healthP99Ms.toFixed(0)}, most ${healthMostMs.toFixed(0)} ms`;
  const memory = `${residentMb(pid)} MB, meanwhile +${observed.aboveRestMb}`;
  const cores = ((busySeconds(pid) - before) / seconds).toFixed(2);
  console.log(`${name}: ${seconds.toFixed(2)} s, ${cores} cores, ${health}, ${memory}`);
  return result;
}

async function searchAll(
  { port }: ObservedService,
  tenants: readonly Tenant[],
  traffic: (typeof TRAFFIC)[number],
): Promise<void> {
  const chosen = chooseTenants(traffic, { tenants: tenants.length, count: QUESTIONS });
  const requests = chosen.flatMap((tenant, n) =>
    searchRequests([questions[n]!], { path: V3_PATH, apiKey: tenants[tenant]!.apiKey }),
  );
  const [connections, seconds] = [Number(values.clients), Number(values.seconds)];
  const load = await runLoad({ port, requests, connections, seconds });
  const { perSecond, p50Ms, p99Ms } = load;
  console.log(
    `  ${perSecond.toFixed(0)} searches/s, p50 ${p50Ms.toFixed(2)}, p99 ${p99Ms.toFixed(2)} ms`,
  );
}

async function ask({ port }: ObservedService, { apiKey }: Tenant): Promise<void> {
  const requests = searchRequests([questions[0]!], { path: V3_PATH, apiKey });
  await runLoad({ port, requests, connections: 1, seconds: null });
}

async function indexMb({ opsPort }: ObservedService): Promise<string> {
  const metrics = await fetch(`http://127.0.0.1:${opsPort}/metrics`).then((a) => a.text());
  const bytes = Number(/^vitrine_index_bytes (\S+)$/m.exec(metrics)?.[1]);
  return (bytes / 1e6).toFixed(0);
}
