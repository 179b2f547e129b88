/**
 * Measures the same judged questions at every kind of index, and fails where one that should answer as a
 * full import does differs from it by more than .002 of NDCG@10.
 *
 *   bun scripts/eval-kinds.ts SET... [--folder FOLDER]
 *
 * A SET is a folder with `products.jsonl.gz`, `queries.tsv` and `qrels.tsv`, as `vitrine eval` reads them.
 * Data folders stay in FOLDER, if given, and are used again: computing the vectors takes minutes.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { withoutDuplicates } from '../src/catalog/record/duplicates.ts';
import { openCatalog } from '../src/cli/command/read-files.ts';
import { type Question, readJudgements, readQuestions } from '../src/cli/eval/eval-files.ts';
import {
  type Figures,
  type Grades,
  hasRelevant,
  measure,
  summarize,
} from '../src/cli/eval/relevance-metrics.ts';
import { readConfig } from '../src/config.ts';
import { SILENT } from '../src/operations/define-operation.ts';
import { importCatalog } from '../src/operations/imports/import-catalog.ts';
import { jsonBlocks } from '../src/operations/imports/json-blocks.ts';
import type { LoadedIndex } from '../src/operations/indexes/loaded-index.ts';
import { runOperation } from '../src/operations/run-operation.ts';
import { embedNextDocuments } from '../src/operations/search/embed-next-documents.ts';
import { searchForOperator } from '../src/operations/search/search-for-operator.ts';
import { createOrganization } from '../src/operations/tenants/organizations.ts';
import { systemPlatform } from '../src/platform.ts';
import { type OpenServices, openServices } from '../src/services.ts';

const DIFFERENCE_MAX = 0.002;
/** Of so many rows one is missing from the first of two imports. */
const LATER = 10;
const LIMIT = 50;
/** Maximum wait for a question's embedding; long, because nothing else is waiting. */
const PATIENT_MS = 60_000;

interface JudgedSet {
  readonly path: string;
  readonly questions: readonly Question[];
  readonly judgements: ReadonlyMap<string, Grades>;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' } },
});
if (positionals.length === 0)
  throw new Error('usage: bun scripts/eval-kinds.ts SET... [--folder FOLDER]');
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'vitrine-kinds-'));
mkdirSync(folder, { recursive: true });
let differing = 0;
console.log('| set | index | NDCG@10 | change | recall@50 |\n| --- | --- | ---: | ---: | ---: |');
try {
  for (const path of positionals) await measureSet(path);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true });
}
if (differing > 0) console.log(`${differing} differ by more than ${DIFFERENCE_MAX}`);
process.exit(differing > 0 ? 1 : 0);

async function measureSet(path: string): Promise<void> {
  const questions = await readQuestions(join(path, 'queries.tsv'));
  const set = { path, questions, judgements: await readJudgements(join(path, 'qrels.tsv')) };
  const whole = join(folder, basename(path));
  const layered = `${whole}-layered`;

  if (!existsSync(whole)) await importWhole(set, whole);
  removeIndexes(whole);
  const full = await measureIn(whole, set, {});
  report(set, 'full import', full);
  const compare = (kind: string, figures: Figures) => report(set, kind, figures, full);
  compare('from its file after a restart', await measureIn(whole, set, {}));
  compare('vectors in blocks', await measureIn(whole, set, { prepare: orderVectors }));

  if (!existsSync(layered)) {
    cpSync(whole, layered, { recursive: true });
    await importInTwo(set, layered);
  }
  const prepare = requireOverlay;
  compare('two layers, from their files', await measureIn(layered, set, { prepare }));
  removeIndexes(layered);
  compare('both imports in one layer', await measureIn(layered, set, {}));

  report(set, 'full import, no scoring', await measureIn(whole, set, { skipScoring: true }));
  report(set, 'words alone', await measureIn(whole, set, { embedder: 'off' }));
  report(
    set,
    'words alone, no scoring',
    await measureIn(whole, set, { embedder: 'off', skipScoring: true }),
  );
}

interface Kind {
  readonly embedder?: 'off' | 'local';
  readonly skipScoring?: boolean;
  /** Brings the index into the state in which it is measured. */
  readonly prepare?: (index: LoadedIndex) => void;
}

async function measureIn(data: string, set: JudgedSet, kind: Kind): Promise<Figures> {
  const services = await open(data, kind.embedder);
  try {
    kind.prepare?.(await loadedIndex(services));
    return await ask(services, set, kind.skipScoring === true);
  } finally {
    await close(services);
  }
}

async function ask(
  services: OpenServices,
  { questions, judgements }: JudgedSet,
  skipScoring: boolean,
): Promise<Figures> {
  const figures: Figures[] = [];
  for (const { id, text } of questions) {
    const grades = judgements.get(id) ?? new Map<string, number>();
    if (!hasRelevant(grades)) continue;
    const asked = { question: text, productsOnly: false, limit: LIMIT, skipScoring };
    const { results } = await runOperation(services, searchForOperator, asked, SILENT);
    figures.push(
      measure(
        results.map(({ externalId }) => externalId),
        grades,
      ),
    );
  }
  return summarize(figures);
}

/** As an import makes it that changes a tenth of a catalogue in memory. */
async function importInTwo(set: JudgedSet, data: string): Promise<void> {
  const first = await open(data);
  await importRows(first, set, (row) => row % LATER !== 3);
  await close(first);
  // The base is to hold what the first import left, and nothing else.
  removeIndexes(data);
  const services = await open(data);
  await loadedIndex(services);
  await importRows(services, set, () => true);
  await embedAll(services);
  const figures = await ask(services, set, false);
  requireOverlay(await loadedIndex(services));
  console.error(`${basename(data)} before a restart: ${figures['ndcg@10'].toFixed(5)}`);
  await close(services);
}

async function importWhole(set: JudgedSet, data: string): Promise<void> {
  const services = await open(data);
  await runOperation(services, createOrganization, { name: 'Judged', currency: 'USD' }, SILENT);
  await importRows(services, set, () => true);
  await embedAll(services);
  await close(services);
}

async function importRows(
  services: OpenServices,
  { path }: JudgedSet,
  isWanted: (row: number) => boolean,
): Promise<void> {
  const source = join(path, 'products.jsonl.gz');
  const input = await openCatalog(source);
  const rows = async function* () {
    let row = 0;
    const all = withoutDuplicates(input.rows({ currency: 'USD', shopUrl: null, now: 0 }));
    for await (const each of all) if (isWanted(row++)) yield each;
  };
  const asked = { source, format: input.format.name, full: true, dryRun: false };
  await runOperation(services, importCatalog, asked, { lines: jsonBlocks(rows()), emit() {} });
}

async function embedAll(services: OpenServices): Promise<void> {
  while (await embedNextDocuments(services, services.stopping));
}

async function loadedIndex({ indexes, directory }: OpenServices): Promise<LoadedIndex> {
  return indexes.forSearch(directory.organizations()[0]!.key);
}

/** As the service does in the background from 100,000 vectors on. */
function orderVectors({ layers }: LoadedIndex): void {
  for (const _ of layers.base.index.orderVectors());
}

function requireOverlay({ layers }: LoadedIndex): void {
  if (layers.overlay === null) throw new Error('The second import left no overlay.');
}

async function open(data: string, embedder: 'off' | 'local' = 'local'): Promise<OpenServices> {
  const config = readConfig({ dataFolder: data, flags: {}, environment: {}, file: { embedder } });
  let ids = 0;
  const newId = () => `00000000-0000-7000-8000-${(++ids).toString(16).padStart(12, '0')}`;
  const isNew = !existsSync(data);
  const services = await openServices({
    config: { ...config, embedderBudgetMs: PATIENT_MS },
    // Ranking breaks ties by id, which depends on that of the shop.
    platform: { ...systemPlatform('error'), ...(isNew ? { newId } : {}) },
    create: isNew,
    isAlone: true,
  });
  await services.embeddings.load();
  return services;
}

/** Keeps the index for the next start, as a service does in the background. */
async function close(services: OpenServices): Promise<void> {
  while (await services.indexes.keepNext());
  await services.close();
}

function removeIndexes(data: string): void {
  rmSync(join(data, 'index'), { recursive: true, force: true });
}

function report({ path }: JudgedSet, kind: string, figures: Figures, full?: Figures): void {
  const change = full === undefined ? null : figures['ndcg@10'] - full['ndcg@10'];
  if (change !== null && Math.abs(change) > DIFFERENCE_MAX) differing += 1;
  const columns = [
    basename(path),
    kind,
    figures['ndcg@10'].toFixed(5),
    change === null ? '' : change.toFixed(5),
    figures['recall@50'].toFixed(4),
  ];
  console.log(`| ${columns.join(' | ')} |`);
}
