import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../binary/folders.ts';
import { type LoadResult, runLoad, searchRequests } from './load.ts';
import { freePort, type Processes, runToEnd, untilIdle } from './processes.ts';
import { WARM_UP_QUESTIONS } from './questions.ts';

const STARTS_WITHIN_MS = 60_000;
const POLL_MS = 20;

export const V3_PATH = '/rest/search/v3/?q=';

/** The command that runs vitrine. */
export interface Program {
  readonly label: string;
  readonly command: readonly string[];
}

/** The binary, or the source if it is newer than the binary. */
export function findProgram(given: string | undefined): Program {
  if (given !== undefined) return { label: given, command: [given] };
  const binary = join(ROOT, 'dist', 'vitrine');
  if (existsSync(binary) && statSync(binary).mtimeMs > lastChangeMs())
    return { label: 'dist/vitrine', command: [binary] };
  return {
    label: 'source (dist/vitrine is older than the source, or missing)',
    command: [process.execPath, join(ROOT, 'src', 'main.ts')],
  };
}

function lastChangeMs(): number {
  const source = join(ROOT, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const paths = [...files.map((file) => join(source, file)), join(ROOT, 'bun.lock')];
  return Math.max(...paths.map((path) => statSync(path).mtimeMs));
}

interface Named {
  readonly slug: string;
}

/** A data folder with one organization without a rate limit, and its key. */
export interface Prepared {
  readonly data: string;
  readonly apiKey: string;
}

const ORGANIZATION = 'Bench';

/**
 * Creates a data folder, copies one, so that the original does not change, or uses one again that it created.
 * Throws if `data` is anything else, so that a benchmark changes nobody's data.
 */
export async function prepareData(
  { command }: Program,
  { data, copyOf }: { data: string; copyOf: string | undefined },
): Promise<Prepared> {
  const run = (...args: string[]) => runToEnd([...command, ...args, '--data', data]);
  const isThere = existsSync(join(data, 'vitrine.db'));
  if (isThere) {
    const slugs = JSON.parse(await run('org', 'list', '--json')).map(({ slug }: Named) => slug);
    if (copyOf !== undefined || slugs.join() !== ORGANIZATION.toLowerCase())
      throw new Error(`${data} holds data that this benchmark did not make: choose another folder`);
  }
  if (copyOf !== undefined) {
    const isOfProcess = /\.(?:lock|sock)$/;
    cpSync(copyOf, data, { recursive: true, filter: (path) => !isOfProcess.test(path) });
  }
  const scopes = 'search,hits,landing,mcp';
  const printed =
    isThere || copyOf !== undefined
      ? await run('key', 'create', '--name', 'bench', '--scopes', scopes, '--json')
      : await run('init', '--org', ORGANIZATION, '--currency', 'EUR', '--json');
  await run('org', 'set', '--unlimited');
  return { data, apiKey: (JSON.parse(printed) as { apiKey: string }).apiKey };
}

/** Imports a catalogue without showing progress. */
export function importCommand(program: Program, file: string, data: string): string[] {
  return [...program.command, 'catalog', 'import', file, '--progress', 'off', '--data', data];
}

/** A running service. */
export interface Service {
  readonly process: Bun.Subprocess;
  readonly port: number;
}

export async function startService(
  processes: Processes,
  { command }: Program,
  { data }: Prepared,
  flags: readonly string[] = [],
): Promise<Service> {
  const port = await freePort();
  const log = `${data}.log`;
  const address = `127.0.0.1:${port}`;
  const serve = ['serve', '--data', data, '--listen', address, '--log-level', 'warn', ...flags];
  const process = processes.start([...command, ...serve], { log });
  const giveUpMs = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return { process, port };
    if (process.exitCode !== null || performance.now() > giveUpMs)
      throw new Error(`vitrine does not start: ${readFileSync(log, 'utf8').slice(-2000)}`);
    await Bun.sleep(POLL_MS);
  }
}

/** Seconds from the start of an import until all words, and then all embeddings, are searchable. */
export interface ImportSeconds {
  readonly words: number;
  readonly meaning: number;
}

export async function importCatalogue(
  program: Program,
  service: Service,
  { prepared, catalogue, question }: { prepared: Prepared; catalogue: string; question: string },
): Promise<ImportSeconds> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  const run = (...args: string[]) =>
    runToEnd([...program.command, 'catalog', ...args, '--data', prepared.data]);
  await run('import', catalogue, '--progress', 'off');
  while ((await ask(service, prepared, question)).total === 0) await Bun.sleep(POLL_MS);
  const words = seconds();
  await run('stats', '--wait');
  rmSync(`${catalogue}.errors.csv`, { force: true });
  return { words, meaning: seconds() };
}

/** Number of visible items, and number of embedded items. */
export async function readStats(
  { command }: Program,
  { data }: Prepared,
): Promise<{ items: number; embedded: number }> {
  const printed = await runToEnd([...command, 'catalog', 'stats', '--data', data, '--json']);
  const stats = JSON.parse(printed) as Record<'offerings' | 'contexts' | 'embedded', number>;
  return { items: stats.offerings + stats.contexts, embedded: stats.embedded };
}

/** Makes the service load what it loads on the first request, and waits until it has done so. */
export async function wakeUp(service: Service, prepared: Prepared): Promise<void> {
  const giveUpMs = performance.now() + STARTS_WITHIN_MS;
  for (const question of WARM_UP_QUESTIONS) {
    while ((await ask(service, prepared, question)).scoring !== 'local') {
      if (performance.now() > giveUpMs) throw new Error('vitrine does not search by meaning.');
      await Bun.sleep(100);
    }
  }
  await untilIdle(service.process.pid);
}

/** The part of a v3 response that the benchmark reads. */
interface AnswerV3 {
  readonly total: number;
  readonly scoring: string;
}

/** Duration of the questions, and their responses in the same order. */
export interface Asked {
  readonly load: LoadResult;
  readonly bodies: string[];
  readonly answers: AnswerV3[];
}

/** Asks each question once, over a number of connections. */
export async function askAll(
  { port }: Service,
  { apiKey }: Prepared,
  { questions, connections }: { questions: readonly string[]; connections: number },
): Promise<Asked> {
  const bodies: string[] = new Array<string>(questions.length);
  const load = await runLoad({
    port,
    requests: searchRequests(questions, { path: V3_PATH, apiKey }),
    connections,
    seconds: null,
    onBody: (body, request) => {
      bodies[request] = body;
    },
  });
  return { load, bodies, answers: bodies.map((body) => JSON.parse(body) as AnswerV3) };
}

async function ask(service: Service, prepared: Prepared, question: string): Promise<AnswerV3> {
  const { answers } = await askAll(service, prepared, { questions: [question], connections: 1 });
  return answers[0]!;
}
