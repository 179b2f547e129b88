/**
 * Measures how import, start, search, memory and disk grow with the catalogue, by words alone, for
 * builds of vitrine and the engines beside it:
 *
 *   bun scripts/bench-scale.ts [--rows 10000,100000,500000,1000000] [--vocabulary 50000]
 *     [--parts import,start,search,change,served,engines,servers] [--binary [NAME=]FILE]...
 *     [--folder FOLDER] [--seconds 10] [--json FILE] [--write-readme]
 *
 *   import   by a command alone, with each of the next four, because they need its data folder
 *   start    until the catalogue is in memory: built, then read from its file
 *   search   v3 by one client and by eight
 *   change   1 % of the offerings get other texts, beside a running service
 *   served   the whole file, imported beside a running service that is empty
 *   engines  the same questions to engines in other languages, without HTTP
 *   servers  import, start and search of search servers, over HTTP
 *
 * At each size, each part runs for one binary after the other. Feeds, data folders and results
 * stay in FOLDER, if given; results that are there are not measured again, so a stopped run goes
 * on where it stopped. `--write-readme` writes table and charts of all results in FOLDER into
 * `bench/README.md`. A million rows take about 6 GB there with two binaries.
 */
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { FIGURES, type Figure, type Figures, renderCurves, replaceCurves } from './bench/curves.ts';
import { type FeedOptions, feedLines, feedOfferings } from './bench/feed.ts';
import { figuresOfEngine, PEERS, runPeer, Skipped } from './bench/peers.ts';
import { Processes } from './bench/processes.ts';
import { Results, type Step } from './bench/results.ts';
import { VitrineAtScale } from './bench/scale-parts.ts';
import { figuresOfServer, runServer, SERVERS } from './bench/servers.ts';
import { findProgram, type Program } from './bench/vitrine.ts';

const CLIENTS = 8;
const QUESTIONS = 2000;
const QUESTION_WORDS = 2;
const DESCRIPTION_WORDS = 18;
/** Enough for compilers at run time to translate what searches use most. */
const WARM_UP_SECONDS = 10;
const CHANGED_SHARE = 0.01;
const CHANGED_SEED = 11;

const README = join(import.meta.dir, 'bench', 'README.md');

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000,500000,1000000' },
    parts: { type: 'string', default: 'start,search,change,served,engines,servers' },
    vocabulary: { type: 'string', default: '50000' },
    folder: { type: 'string' },
    binary: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '10' },
    json: { type: 'string' },
    'write-readme': { type: 'boolean', default: false },
  },
});

const parts = new Set(values.parts.split(','));
const vocabulary = Number(values.vocabulary);
const seconds = Number(values.seconds);
const binaries = values.binary.length === 0 ? [null] : values.binary;
const programs = binaries.map(nameProgram);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vitrine-scale-'));
mkdirSync(folder, { recursive: true });
const processes = new Processes();
const results = new Results(join(folder, 'results'));

for (const { name, program } of programs) console.log(`${name}: ${program.label}`);
try {
  for (const rows of values.rows
    .split(',')
    .filter((text) => text !== '')
    .map(Number))
    await measure(rows);
  const measured = results.read();
  if (measured.length > 0) console.log(`\n${renderCurves(measured)}`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(measured, null, 2));
  if (values['write-readme'])
    writeFileSync(README, replaceCurves(readFileSync(README, 'utf8'), measured));
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

/** `FILE` is called vitrine. */
function nameProgram(binary: string | null): { name: string; program: Program } {
  const [, name = 'vitrine', file = undefined] = /^(?:([^=]+)=)?(.+)$/.exec(binary ?? '') ?? [];
  return { name, program: findProgram(file) };
}

async function measure(rows: number): Promise<void> {
  console.log(`\n${rows} offerings`);
  const feed = await makeFeed(`feed-${rows}-${vocabulary}`, { rows });
  const builds = programs.map(({ name, program }) => {
    const data = join(folder, `data-${name.replaceAll(/\W+/g, '-')}-${rows}-${vocabulary}`);
    return { name, vitrine: new VitrineAtScale(program, { rows, data, processes }) };
  });
  const questions = questionsOf(rows);
  const asking = { questions, clients: CLIENTS, seconds, warmUpSeconds: WARM_UP_SECONDS };
  const tiny = await makeFeed('feed-tiny', { rows: 1 });
  const vitrineParts: Record<string, (vitrine: VitrineAtScale) => Promise<Figures>> = {
    start: (vitrine) => vitrine.start(),
    search: (vitrine) => vitrine.search(asking),
    change: async (vitrine) => vitrine.change(await makeChanges(rows)),
    served: (vitrine) => vitrine.served(feed),
  };
  const needsData = ['import', ...Object.keys(vitrineParts)].some((part) => parts.has(part));
  for (const { name, vitrine } of builds)
    if (needsData && !vitrine.hasData)
      await run({ rows, part: 'import', engine: name, isAlone: false }, () =>
        vitrine.import(feed, tiny),
      );
  for (const [part, measurePart] of Object.entries(vitrineParts).filter(([part]) =>
    parts.has(part),
  ))
    for (const { name, vitrine } of builds)
      await run({ rows, part, engine: name, isAlone: false }, () => measurePart(vitrine));
  const task = { catalogue: feed, questions, seconds };
  if (parts.has('engines'))
    for (const peer of PEERS)
      await run({ rows, part: 'engines', engine: peer.name, isAlone: true }, async () =>
        figuresOfEngine(rows, await runPeer(peer, task)),
      );
  if (parts.has('servers'))
    for (const server of SERVERS)
      await run({ rows, part: 'servers', engine: server.name, isAlone: false }, async () =>
        figuresOfServer(
          rows,
          await runServer(
            server,
            { ...task, connections: [1, CLIENTS], warmUpSeconds: WARM_UP_SECONDS },
            { processes },
          ),
        ),
      );
}

/** Measures one part, or says why it cannot: the next run tries it again. */
async function run(step: Step, measureStep: () => Promise<Figures>): Promise<void> {
  const what = `${step.part}, ${step.engine}`.padEnd(36);
  try {
    console.log(what, describe(await results.keep(step, measureStep)));
  } catch (error) {
    console.log(what, error instanceof Skipped ? error.message : `failed: ${error}`);
    if (!(error instanceof Skipped)) process.exitCode = 1;
  } finally {
    await processes.stopAll();
  }
}

/** A feed of other texts for the first hundredth of the offerings. */
function makeChanges(rows: number): Promise<string> {
  const changed = Math.ceil(rows * CHANGED_SHARE);
  return makeFeed(`changed-${rows}-${vocabulary}`, { rows: changed, seed: CHANGED_SEED });
}

/** Writes a feed into the folder, unless it is there. */
async function makeFeed(
  name: string,
  options: Pick<FeedOptions, 'rows' | 'seed'>,
): Promise<string> {
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

function describe(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => {
      const { title, unit, digits } = FIGURES[name as Figure];
      return `${title} ${value?.toFixed(digits) ?? '–'} ${unit}`;
    })
    .join('; ');
}
