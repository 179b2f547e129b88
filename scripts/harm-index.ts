/**
 * Damages the files of indexes. A service must then answer as one that has no such file, say once what is wrong,
 * and write the file anew:
 *
 *   bun scripts/harm-index.ts [--rows 1000] [--damages 40] [--sections] [--seed 1] [--binary FILE]
 *
 * Damages: cut short, empty, lengthened, bits flipped, blocks overwritten, of another version, organization or
 * database, out of date, the file and its changes exchanged, a folder in its place, and, unless it runs as the
 * superuser, not readable. As the superuser it also writes to a full disk. --sections adds a cut at the beginning
 * of each section and a flipped bit in each; there, it only checks that the service reports the file as refused. Exit
 * code 1 if any check fails.
 */
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { run, type Serving, SOURCE_COMMAND, serve } from '../tests/support/processes.ts';
import { withKey } from '../tests/support/service.ts';
import { feedOfferings } from './bench/feed.ts';
import { chooseQuestions } from './bench/questions.ts';
import { type Damaged, Damager, describedIn, sectionDamages } from './harm/damages.ts';
import { copyData } from './harm/data-folder.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000' },
    damages: { type: 'string', default: '40' },
    sections: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    binary: { type: 'string' },
  },
});
const command = values.binary === undefined ? SOURCE_COMMAND : [values.binary];
const rowCount = Number(values.rows);

const WRITTEN_WITHIN_MS = 120_000;
const POLL_MS = 20;

/** One row in so many is of an edition, which an import changes as a whole. */
const EDITION_EVERY = 100;

/** Distinct words, so many that a question matches a part of the catalogue. */
const VOCABULARY = 50_000;
const QUESTIONS = chooseQuestions(
  [...feedOfferings({ rows: rowCount, words: 18, vocabulary: VOCABULARY })],
  {
    file: undefined,
    // 200 in both organizations.
    count: 100,
  },
);

const SHOPS = ['acme', 'other'] as const;
type Slug = (typeof SHOPS)[number];

const folder = mkdtempSync(join(tmpdir(), 'vitrine-harm-'));
const faults: string[] = [];
try {
  await harm();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function harm(): Promise<void> {
  const data = join(folder, 'data');
  const keys = await prepare(data);
  // A copy that goes its own way: its organizations have the same ids, its shops the same generations.
  const foreign = join(folder, 'foreign');
  copyData(data, foreign);
  await importEdition(foreign, 3);
  await keepIndexes(foreign, keys);
  await importEdition(foreign, 4);
  await keepIndexes(foreign, keys, true);
  await importEdition(data, 1);
  await keepIndexes(data, keys);
  await importEdition(data, 2);
  await keepIndexes(data, keys, true);
  const outdated = join(folder, 'outdated');
  cpSync(join(data, 'index'), outdated, { recursive: true });
  await importEdition(data, 5);
  await keepIndexes(data, keys, true);
  const ids = await idsOf(data);
  const expected = await answersWithoutFiles(data, keys);
  const whole = join(folder, 'whole');
  copyData(data, whole);
  const kinds = new Map<string, number>();
  const sources = { ids, outdated, foreign: join(foreign, 'index') };
  const damager = new Damager(Number(values.seed), sources);
  for (let number = 0; number < Number(values.damages); number += 1) {
    copyData(whole, data);
    const { kind, victim } = damager.damage(data);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    await expectRebuilt(data, { keys, expected, kind, victim });
  }
  console.log(`${values.damages} damages at ${rowCount} rows: ${told(kinds)}.`);
  copyData(whole, data);
  if (values.sections) await harmSections(data, ids.acme);
  if (process.getuid?.() === 0) await fillDisk(whole, data, { keys, expected, ids });
  console.log(faults.length === 0 ? 'Nothing of it was served.' : faults.join('\n'));
  if (faults.length > 0) process.exitCode = 1;
}

function told(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}

type Keys = Readonly<Record<Slug, string>>;

async function vitrine(data: string, ...args: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await run(command, [...args, '--data', data, '--json']);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
  return JSON.parse(stdout);
}

/** A data folder with two organizations, whose catalogues have the same words. */
async function prepare(data: string): Promise<Keys> {
  await vitrine(data, 'init', '--org', 'Acme');
  await vitrine(data, 'org', 'create', 'Other');
  const keys: Partial<Record<Slug, string>> = {};
  for (const org of SHOPS) {
    await vitrine(data, 'org', 'set', '--org', org, '--unlimited');
    const { apiKey } = (await vitrine(data, 'key', 'create', '--org', org)) as { apiKey: string };
    keys[org] = apiKey;
    await vitrine(data, 'catalog', 'import', fileOf(rowsOf(org, 0)), '--org', org);
  }
  return keys as Keys;
}

/** One text in so many says its edition. */
function rowsOf(org: Slug, edition: number): object[] {
  const seed = org === 'acme' ? 7 : 8;
  const offerings = feedOfferings({ rows: rowCount, words: 18, vocabulary: VOCABULARY, seed });
  return [...offerings].map((offering, at) => ({
    ...offering,
    description: `${offering.description}${at % EDITION_EVERY === 0 ? ` edition${edition}` : ''}`,
  }));
}

function fileOf(rows: readonly object[]): string {
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

function editionFile(edition: number): string {
  return fileOf(rowsOf('acme', edition).filter((_, at) => at % EDITION_EVERY === 0));
}

async function importEdition(data: string, edition: number): Promise<void> {
  await vitrine(data, 'catalog', 'import', editionFile(edition), '--org', 'acme');
}

function startService(data: string): Promise<Serving> {
  return serve(command, ['--data', data, '--embedder', 'off', '--log-level', 'info']);
}

/** What a service answers to each question of each organization. */
async function answersOf(serving: Serving, keys: Keys): Promise<string[]> {
  const answers: string[] = [];
  for (const org of SHOPS) {
    const ask = withKey((path, init) => fetch(serving.url + path, init), keys[org]);
    for (const question of [...QUESTIONS, 'edition0', 'edition2', 'edition4', 'edition5'])
      answers.push(await found(ask, question));
  }
  return answers;
}

async function found(ask: (path: string) => Promise<Response>, question: string): Promise<string> {
  for (;;) {
    const response = await ask(`/rest/search/v3/?q=${encodeURIComponent(question)}&limit=20`);
    const text = await response.text();
    // A large catalogue is not loaded yet.
    if (response.status === 503) {
      await delay(POLL_MS);
      continue;
    }
    if (response.status !== 200) return `${response.status} ${text}`;
    const { total, results } = JSON.parse(text) as {
      total: number;
      results: { id: string; name: string; description: string; score: number; price: string }[];
    };
    const shown = results.map(({ id, name, description, score, price }) =>
      [id, name, description, score, price].join('\t'),
    );
    return `${question}: ${total}\n${shown.join('\n')}`;
  }
}

async function answersWithoutFiles(data: string, keys: Keys): Promise<string[]> {
  const aside = join(folder, 'without');
  copyData(data, aside);
  rmSync(join(aside, 'index'), { recursive: true, force: true });
  const serving = await startService(aside);
  const answers = await answersOf(serving, keys);
  await serving.stop();
  return answers;
}

/** Serves until the whole indexes are kept, or with `isChanged` the changes of the first organization. */
async function keepIndexes(data: string, keys: Keys, isChanged = false): Promise<void> {
  const ids = await idsOf(data);
  const before = tokensIn(data);
  const serving = await startService(data);
  await answersOf(serving, keys);
  const wanted = isChanged ? [`${ids.acme}.changes`] : SHOPS.map((org) => `${ids[org]}.index`);
  const isKept = await until(data, (present) =>
    wanted.every((name) => (present.get(name) ?? null) !== (before.get(name) ?? null)),
  );
  if (!isKept) throw new Error('no index file was written');
  await serving.stop();
}

async function idsOf(data: string): Promise<Record<Slug, string>> {
  const list = (await vitrine(data, 'org', 'list')) as { slug: Slug; id: string }[];
  return Object.fromEntries(list.map(({ slug, id }) => [slug, id])) as Record<Slug, string>;
}

/** The tokens of the index files, by name; null for what is no such file. */
function tokensIn(data: string): Map<string, string | null> {
  const isThere = existsSync(join(data, 'index'));
  const names = isThere ? readdirSync(join(data, 'index')) : [];
  return new Map(names.map((name) => [name, tokenOf(join(data, 'index', name))]));
}

function tokenOf(path: string): string | null {
  try {
    return describedIn(path).token;
  } catch {
    return null;
  }
}

async function until(
  data: string,
  isDone: (present: Map<string, string | null>) => boolean,
): Promise<boolean> {
  const giveUpMs = performance.now() + WRITTEN_WITHIN_MS;
  while (!isDone(tokensIn(data))) {
    if (performance.now() > giveUpMs) return false;
    await delay(POLL_MS);
  }
  return true;
}

async function expectRebuilt(
  data: string,
  {
    keys,
    expected,
    kind,
    victim,
  }: Damaged & { readonly keys: Keys; readonly expected: readonly string[] },
): Promise<void> {
  const before = tokenOf(join(data, 'index', victim));
  const serving = await startService(data);
  const answers = await answersOf(serving, keys);
  const what = `${kind} (${victim.replace(/^.*\./, '.')})`;
  const wrong = answers.findIndex((answer, at) => answer !== expected[at]);
  if (wrong >= 0) faults.push(`${what}: answered otherwise: ${answers[wrong]!.slice(0, 200)}`);
  const isNew = (present: Map<string, string | null>) => {
    const token = present.get(victim) ?? null;
    // A whole index that was built anew has no changes.
    if (token === null) return victim.endsWith('.changes') && !present.has(victim);
    return token !== before;
  };
  if (!(await until(data, isNew))) faults.push(`${what}: not written anew`);
  const exitCode = await serving.stop();
  const refusals = refusalsOf(serving);
  if (refusals.length > 1 || (refusals.length === 0 && !isQuiet(kind, victim)))
    faults.push(`${what}: ${refusals.length} lines say so`);
  const errors = serving
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  if (exitCode !== 0) faults.push(`${what}: exit code ${exitCode}`);
  if (errors.length > 0) faults.push(`${what}: ${errors[0]}`);
}

function refusalsOf(serving: Serving): string[] {
  return serving
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"event":"index_file_refused"'));
}

/** An older file is brought up to date, and changes of another file are nothing to report. */
function isQuiet(kind: string, victim: string): boolean {
  return (
    kind === 'out of date' ||
    (victim.endsWith('.changes') && /organization|exchanged|database/.test(kind))
  );
}

/** Every section of the file, cut and flipped: the service refuses the file before anything else. */
async function harmSections(data: string, id: string): Promise<void> {
  const path = join(data, 'index', `${id}.index`);
  let count = 0;
  for (const { what, bytes } of sectionDamages(path)) {
    writeFileSync(path, bytes);
    const serving = await startService(data);
    const giveUpMs = performance.now() + WRITTEN_WITHIN_MS;
    while (refusalsOf(serving).length === 0 && performance.now() < giveUpMs) await delay(POLL_MS);
    if (refusalsOf(serving).length !== 1) faults.push(`${what}: not refused`);
    const closed = once(serving.process, 'close');
    serving.process.kill('SIGKILL');
    await closed;
    // Refused, and not yet written anew: the next one is of the same file.
    count += 1;
  }
  console.log(`${count} cuts and flipped bits, in each section: each refused.`);
}

/** The index is written to a disk that has not the room for it. */
async function fillDisk(
  whole: string,
  data: string,
  {
    keys,
    expected,
    ids,
  }: { keys: Keys; expected: readonly string[]; ids: Readonly<Record<Slug, string>> },
): Promise<void> {
  copyData(whole, data);
  const index = join(data, 'index');
  rmSync(index, { recursive: true });
  mkdirSync(index);
  const bytes = statSync(join(whole, 'index', `${ids.acme}.index`)).size;
  const mounted = Bun.spawnSync([
    'mount',
    '-t',
    'tmpfs',
    '-o',
    `size=${bytes >> 1}`,
    'none',
    index,
  ]);
  if (!mounted.success) return console.log('skipped: a full disk (no right to mount)');
  try {
    const serving = await startService(data);
    const answers = await answersOf(serving, keys);
    const errors = () =>
      serving
        .stderr()
        .split('\n')
        .filter((line) => line.includes('ENOSPC'));
    const giveUpMs = performance.now() + WRITTEN_WITHIN_MS;
    while (errors().length === 0 && performance.now() < giveUpMs) await delay(POLL_MS);
    if (answers.some((answer, at) => answer !== expected[at]))
      faults.push('full disk: another answer');
    // One for each organization.
    if (errors().length === 0 || errors().length > SHOPS.length)
      faults.push(`full disk: ${errors().length} lines`);
    if (readdirSync(index).length > 0) faults.push(`full disk: left ${readdirSync(index)}`);
    if ((await serving.stop()) !== 0) faults.push('full disk: exit code');
    Bun.spawnSync(['mount', '-o', `remount,size=${bytes * 8}`, index]);
    await keepIndexes(data, keys);
    console.log(`A full disk: ${errors()[0]}`);
  } finally {
    Bun.spawnSync(['umount', '-l', index]);
  }
}
