/**
 * Compares vitrine with other engines on this machine, with one catalogue and the same questions,
 * and prints one table.
 *
 *   bun scripts/bench.ts [PRODUCTS.jsonl[.gz]] [--queries queries.tsv] [--data FOLDER]
 *                        [--binary FILE] [--questions 500] [--seconds 5] [--json]
 *
 * Without a catalogue, it uses the sample offerings. Questions come from the TSV file (text in the
 * last column), topped up to 500 with words from names. `--data` names a data folder with the same
 * catalogue, not in use by a service. A copy of it saves the minutes that embedding takes. Each
 * contender runs in its own process after the previous one has ended; this process generates the
 * load. Of the peers in other languages (`bench/peers/`), the engines ask themselves, without HTTP,
 * and the servers are asked over HTTP; one whose toolchain is missing is skipped, and a note says so.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleFiles } from '../src/assets/sample-files.ts';
import { assistantLoads, compareAssistants, LISTING, readListing } from './bench/assistants.ts';
import type { ContenderReport } from './bench/contender.ts';
import { feedLines } from './bench/feed.ts';
import { measureHits } from './bench/hits.ts';
import { describeImport, measureImport } from './bench/imports.ts';
import { runLoad, searchRequests } from './bench/load.ts';
import { measurePeers } from './bench/peers.ts';
import { Processes, residentMb } from './bench/processes.ts';
import { chooseQuestions, readItems } from './bench/questions.ts';
import { measureServers } from './bench/servers.ts';
import { type Row, renderTable, rowOf, withRatios } from './bench/table.ts';
import {
  type Asked,
  askAll,
  findProgram,
  type ImportSeconds,
  importCatalogue,
  type Prepared,
  type Program,
  prepareData,
  readStats,
  type Service,
  startService,
  V3_PATH,
  wakeUp,
} from './bench/vitrine.ts';

const MANY_CONNECTIONS = 32;
/** Warm-up before each measurement, long enough for the JIT compilers of all contenders. */
const WARM_UP_SECONDS = 2;
/** Servers in Java need longer. */
const SERVER_WARM_UP_SECONDS = 10;
/**
 * Maximum rounds until the embedding of every question is cached, in case the embedder falls
 * behind.
 */
const CACHING_ROUNDS_MAX = 5;

/** Fewer questions than vitrine's embedding cache holds, so that repeated questions are cached. */
const QUESTIONS_MAX = 1500;

/** Rows of the feed whose import is measured. */
const FEED_ROWS = 100_000;

/** Rounds per contender in the hits benchmark. */
const HIT_ROUNDS = 3;

const VITRINE = 'vitrine v3';
const MINI_SEARCH = 'MiniSearch tuned';
const BARE = 'bare route, same bytes as v3';
const BARE_LISTING = 'bare route, same bytes as tools/list';

const VITRINE_LOADS = [
  { name: VITRINE, path: V3_PATH, connections: 1 },
  { name: VITRINE, path: V3_PATH, connections: MANY_CONNECTIONS },
  {
    name: 'vitrine v3, skip_scoring',
    path: '/rest/search/v3/?skip_scoring=true&q=',
    connections: MANY_CONNECTIONS,
  },
  { name: 'vitrine v2', path: '/rest/search/v2/?q=', connections: MANY_CONNECTIONS },
] as const;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    queries: { type: 'string' },
    data: { type: 'string' },
    binary: { type: 'string' },
    questions: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const count = Number(values.questions);
if (!(seconds > 0 && count > 0 && count <= QUESTIONS_MAX))
  throw new Error(`--seconds above 0, --questions from 1 to ${QUESTIONS_MAX}.`);

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
const processes = new Processes();
try {
  await run();
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const loadBefore = loadavg()[0]!;
  const catalogue = placeCatalogue();
  const items = await readItems(join(folder, catalogue));
  const questions = chooseQuestions(items, { file: values.queries, count });
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ catalogue, questions }));
  const program = findProgram(values.binary);
  const vitrine = await measureVitrine({ program, catalogue, itemCount: items.length, questions });
  writeFileSync(join(folder, 'bodies.json'), JSON.stringify(Object.fromEntries(vitrine.bodies)));
  const rows = [...vitrine.rows];
  rows.push(...(await measureEngine('minisearch', MINI_SEARCH, questions)));
  rows.push(...(await measureEngine('orama', 'Orama', questions)));
  rows.push(...(await measureEngine('fts5', 'SQLite FTS5', questions)));
  const offerings = join(folder, 'offerings.jsonl');
  writeFileSync(offerings, items.map((item) => JSON.stringify(item)).join('\n'));
  const task = { catalogue: offerings, questions, seconds };
  const peers = await measurePeers(task, progress);
  const connections = [1, MANY_CONNECTIONS];
  const servers = await measureServers(
    { ...task, connections, warmUpSeconds: SERVER_WARM_UP_SECONDS },
    { processes, progress },
  );
  rows.push(...peers.rows, ...servers.rows);
  const bare = await measureBare(questions);
  rows.push(...bare.rows);
  const imports = await measureImports(program, catalogue, items[0]!);
  progress('hits');
  const hits = await measureHits({ processes, program, folder, seconds, rounds: HIT_ROUNDS });
  rows.push(...hits.rows);
  const notes = [
    `${items.length} items, ${questions.length} different questions, ${seconds} s each; vitrine from ${program.label}.`,
    `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}; load average ${loadBefore.toFixed(1)} before the run.`,
    ...vitrine.notes,
    ...peers.notes,
    ...servers.notes,
    ...bare.notes,
    ...hits.notes,
    ...compareWithEngines(rows),
    ...imports,
    ...compareAssistants(
      (name) =>
        rows.find((row) => row.name === name && row.connections === MANY_CONNECTIONS)!.perSecond,
      { bareListing: BARE_LISTING, v3: VITRINE },
    ),
  ];
  const compared = withRatios(rows, { miniSearch: MINI_SEARCH, bare: BARE });
  if (values.json) console.log(JSON.stringify({ rows: compared, notes }, null, 2));
  else console.log(`${renderTable(compared)}\n\n${notes.join('\n')}`);
}

/** Imports of the catalogue and of a feed of short rows. */
async function measureImports(
  program: Program,
  catalogue: string,
  { name }: { name: string },
): Promise<string[]> {
  const feed = join(folder, 'feed.jsonl');
  const lines = [...feedLines({ rows: FEED_ROWS, bytes: Number.POSITIVE_INFINITY, words: 18 })];
  writeFileSync(feed, lines.join(''));
  const files = [
    { file: join(folder, catalogue), word: encodeURIComponent(name.slice(0, 40)) },
    { file: feed, word: 'lamp' },
  ];
  const described: string[] = [];
  for (const { file, word } of files) {
    progress(`import of ${file}`);
    described.push(describeImport(await measureImport(program, { file, word, processes, folder })));
  }
  return described;
}

/** Throughput of vitrine's v3 over HTTP, compared with the engines without HTTP. */
function compareWithEngines(rows: readonly Row[]): string[] {
  const v3 = rows.find(
    ({ name, connections }) => name === VITRINE && connections === MANY_CONNECTIONS,
  )!;
  return rows
    .filter(({ connections }) => connections === null)
    .map(
      ({ name, perSecond }) =>
        `${VITRINE} over ${MANY_CONNECTIONS} connections: ${(v3.perSecond / perSecond).toFixed(3)} × ${name}, engine alone.`,
    );
}

/**
 * Copies the catalogue to the run's folder, which may also hold its reports. Returns its path
 * there.
 */
function placeCatalogue(): string {
  const [given] = positionals;
  if (given !== undefined) {
    const name = given.endsWith('.gz') ? 'catalogue.jsonl.gz' : 'catalogue.jsonl';
    copyFileSync(given, join(folder, name));
    return name;
  }
  const { offerings } = sampleFiles();
  // The sample's images have no address until a service serves them.
  const text = offerings.replaceAll('"pictures/', '"https://shop.example/pictures/');
  writeFileSync(join(folder, 'catalogue.jsonl'), text);
  return 'catalogue.jsonl';
}

interface Task {
  readonly program: Program;
  readonly catalogue: string;
  readonly itemCount: number;
  readonly questions: readonly string[];
}

interface Measured {
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
}

async function measureVitrine(task: Task): Promise<Measured & { bodies: Map<string, string> }> {
  const { program, questions } = task;
  progress('vitrine: data');
  const options = { data: join(folder, 'data'), copyOf: values.data };
  const prepared = await prepareData(program, options);
  const took = await fillData(prepared, task);
  const service = await startService(processes, program, prepared);
  const { pid } = service.process;
  await wakeUp(service, prepared);
  const further = () => ({
    residentMb: residentMb(pid),
    wordsSeconds: took?.words ?? null,
    vectorSeconds: took?.meaning ?? null,
  });
  progress('vitrine: uncached questions');
  const connections = MANY_CONNECTIONS;
  const first = await askAll(service, prepared, { questions, connections });
  const uncached = rowOf('vitrine v3, asked for the first time', {
    connections,
    load: first.load,
    ...further(),
  });
  const late = first.answers.filter(({ scoring }) => scoring !== 'local').length;
  const bodies = await cacheVectors(service, prepared, { questions, first });
  const rows: Row[] = [];
  for (const { name, path, connections } of VITRINE_LOADS) {
    progress(name);
    const requests = searchRequests(questions, { path, apiKey: prepared.apiKey });
    const load = await measure({ port: service.port, requests, connections });
    rows.push(rowOf(name, { connections, load, ...further() }));
  }
  for (const { name, requests } of assistantLoads(questions, prepared.apiKey)) {
    progress(name);
    const load = await measure({ port: service.port, requests, connections });
    rows.push(rowOf(name, { connections, load, ...further() }));
  }
  bodies.set(LISTING, await readListing(service.port, prepared.apiKey));
  await processes.stop(service.process);
  const notes = [
    `Asked for the first time: ${late} of ${questions.length} were answered without embeddings, because the embedder was late.`,
  ];
  return { rows: [...rows, uncached], notes, bodies };
}

/** Imports the catalogue; null if the data folder was prepared. */
async function fillData(prepared: Prepared, task: Task): Promise<ImportSeconds | null> {
  const { program } = task;
  let took: ImportSeconds | null = null;
  if (values.data === undefined) {
    progress('vitrine: import');
    const service = await startService(processes, program, prepared);
    took = await importCatalogue(program, service, {
      prepared,
      catalogue: join(folder, task.catalogue),
      question: task.questions[0]!,
    });
    await processes.stop(service.process);
  }
  const { items, embedded } = await readStats(program, prepared);
  if (items !== task.itemCount || embedded !== items)
    throw new Error(
      `vitrine finds ${items} items, ${embedded} of them by meaning; the catalogue has ${task.itemCount}.`,
    );
  return took;
}

/**
 * Repeats questions that were answered without embeddings until all use them. Returns the answers.
 */
async function cacheVectors(
  service: Service,
  prepared: Prepared,
  { questions, first }: { questions: readonly string[]; first: Asked },
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  let asked = questions;
  let { answers, bodies: given } = first;
  for (let round = 0; round < CACHING_ROUNDS_MAX; round += 1) {
    for (const [at, question] of asked.entries())
      if (answers[at]!.scoring === 'local') bodies.set(question, given[at]!);
    asked = questions.filter((question) => !bodies.has(question));
    if (asked.length === 0) return bodies;
    const again = { questions: asked, connections: MANY_CONNECTIONS };
    ({ answers, bodies: given } = await askAll(service, prepared, again));
  }
  throw new Error('vitrine does not cache the embeddings of the questions.');
}

async function measureEngine(
  engine: string,
  name: string,
  questions: readonly string[],
): Promise<Row[]> {
  progress(name);
  const { process, report } = await startContender(engine);
  const { port, indexSeconds: wordsSeconds } = report;
  const requests = searchRequests(questions, { path: '/search?q=' });
  const load = await measure({ port, requests, connections: MANY_CONNECTIONS });
  const residentAfter = residentMb(process.pid);
  const alone = await fetch(`http://127.0.0.1:${port}/engine-alone?seconds=${seconds}`);
  const { perSecond } = (await alone.json()) as { perSecond: number };
  await processes.stop(process);
  const further = { residentMb: residentAfter, wordsSeconds, vectorSeconds: null };
  const aloneRow = { name, connections: null, perSecond, p50Ms: null, p99Ms: null };
  return [
    rowOf(name, { connections: MANY_CONNECTIONS, load, ...further }),
    { ...aloneRow, residentMb: null, wordsSeconds: null, vectorSeconds: null },
  ];
}

async function measureBare(questions: readonly string[]): Promise<Measured> {
  const { process, report } = await startContender('bare');
  const { port } = report;
  const rows: Row[] = [];
  const further = { wordsSeconds: null, vectorSeconds: null };
  const notes: string[] = [];
  for (const { name, path, connections } of [
    { name: BARE, path: '/search?q=', connections: 1 },
    { name: BARE, path: '/search?q=', connections: MANY_CONNECTIONS },
    { name: BARE_LISTING, path: '/search?q=', connections: MANY_CONNECTIONS },
    { name: 'bare route, two bytes', path: '/ok?q=', connections: MANY_CONNECTIONS },
  ]) {
    progress(name);
    const requests = searchRequests(name === BARE_LISTING ? [LISTING] : questions, { path });
    const load = await measure({ port, requests, connections });
    rows.push(rowOf(name, { connections, load, residentMb: residentMb(process.pid), ...further }));
    notes.push(
      `Load generator: ${load.perSecond.toFixed(0)} answers of ${load.bodyBytes.toFixed(0)} bytes a second from ${name}, over ${connections} connections, with ${load.generatorCores.toFixed(2)} cores.`,
    );
  }
  await processes.stop(process);
  return { rows, notes };
}

async function startContender(
  engine: string,
): Promise<{ process: Bun.Subprocess; report: ContenderReport }> {
  const script = join(import.meta.dir, 'bench', 'contender.ts');
  const log = join(folder, `${engine}.log`);
  const process = processes.start([globalThis.process.execPath, script, engine, folder], { log });
  const reader = process.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  if (value === undefined) throw new Error(`${engine}: ${await Bun.file(log).text()}`);
  return { process, report: JSON.parse(new TextDecoder().decode(value)) as ContenderReport };
}

/** Warms up, then measures. */
async function measure(load: {
  readonly port: number;
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
}): ReturnType<typeof runLoad> {
  await runLoad({ ...load, seconds: WARM_UP_SECONDS });
  return await runLoad({ ...load, seconds });
}

function progress(stage: string): void {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${stage}`);
}
