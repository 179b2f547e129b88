/**
 * Damages the files of indexes at random, and kills services that build, write, read or replace them. After
 * each, a service must answer as one that has no such file, must not have used what was damaged, and must
 * have written it anew:
 *
 *   bun scripts/harm-index.ts [--rows 1000] [--damages 40] [--kills 10] [--seed 1] [--binary FILE]
 *
 * Damages: cut short, lengthened, bits flipped, blocks overwritten, of another organization, of another
 * database, out of date, and the file and its changes exchanged. Exit code 1 if any of this is not so.
 */
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../tests/support/garbage.ts';
import { run, type Serving, SOURCE_COMMAND, serve } from '../tests/support/processes.ts';
import { withKey } from '../tests/support/service.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000' },
    damages: { type: 'string', default: '40' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    binary: { type: 'string' },
  },
});
const command = values.binary === undefined ? SOURCE_COMMAND : [values.binary];
const rowCount = Number(values.rows);
const random = randomFrom(Number(values.seed));

const WRITTEN_WITHIN_MS = 120_000;
const POLL_MS = 20;

/** One row in so many is of an edition, which an import changes as a whole. */
const EDITION_EVERY = 100;

const WORDS = ['oak', 'desk', 'lamp', 'brass', 'linen', 'shelf', 'rug', 'kiln', 'teak', 'stool'];
const QUESTIONS = ['oak desk', 'brass lamp under 20', 'lmap', 'linen rug in stock', 'kiln 77'];

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
  for (let number = 0; number < Number(values.damages); number += 1) {
    copyData(whole, data);
    const { kind, victim } = damage(data, { ids, outdated, foreign: join(foreign, 'index') });
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    await expectRebuilt(data, { keys, expected, kind, victim });
  }
  console.log(`${values.damages} damages at ${rowCount} rows: ${told(kinds)}.`);
  copyData(whole, data);
  const moments = new Map<string, number>();
  for (let number = 0; number < Number(values.kills); number += 1) {
    const moment = await killOnce(data, number);
    moments.set(moment, (moments.get(moment) ?? 0) + 1);
    await expectIntact(data, { keys, moment });
  }
  console.log(`${values.kills} kills: ${told(moments)}.`);
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
    const rows = Array.from({ length: rowCount }, (_, at) => rowOf(at, org, 0));
    await vitrine(data, 'catalog', 'import', fileOf(rows), '--org', org);
  }
  return keys as Keys;
}

function rowOf(at: number, org: Slug, edition: number) {
  const words = Array.from({ length: 6 }, () => WORDS[Math.floor(random() * WORDS.length)]!);
  return {
    externalId: `${org}-${at}`,
    name: `${words.slice(0, 3).join(' ')} ${at}`,
    description: `${words.join(' ')}${at % EDITION_EVERY === 0 ? ` edition${edition}` : ''}`,
    price: `${5 + (at % 40)}.00`,
  };
}

function fileOf(rows: readonly object[]): string {
  const path = join(folder, 'rows.jsonl');
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

function editionFile(edition: number): string {
  const rows = Array.from({ length: Math.ceil(rowCount / EDITION_EVERY) }, (_, at) =>
    rowOf(at * EDITION_EVERY, 'acme', edition),
  );
  return fileOf(rows);
}

async function importEdition(data: string, edition: number): Promise<void> {
  await vitrine(data, 'catalog', 'import', editionFile(edition), '--org', 'acme');
}

function startService(data: string): Promise<Serving> {
  return serve(command, ['--data', data, '--embedder', 'off', '--log-level', 'warn']);
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
    const response = await ask(`/rest/search/v3/?q=${encodeURIComponent(question)}&limit=100`);
    const text = await response.text();
    // A large catalogue is not loaded yet.
    if (response.status === 503) continue;
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

function copyData(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, filter: (path) => !/\.(?:lock|sock)$/.test(path) });
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
    const bytes = readFileSync(path);
    const description = bytes.subarray(20, 20 + bytes.readUInt32LE(16)).toString();
    return (JSON.parse(description) as { token: string }).token;
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

/** A whole number below `limit`. */
function upTo(limit: number): number {
  return Math.floor(random() * limit);
}

function oneOf<Value>(all: readonly Value[]): Value {
  return all[upTo(all.length)]!;
}

interface Damaged {
  readonly kind: string;
  /** The name of the file. */
  readonly victim: string;
}

/** What files are exchanged for. */
interface DamageSources {
  readonly ids: Readonly<Record<Slug, string>>;
  /** Folders of indexes. */
  readonly outdated: string;
  readonly foreign: string;
}

/** Damages the index file of the first organization, or that of its changes. */
function damage(data: string, sources: DamageSources): Damaged {
  const { ids } = sources;
  const index = join(data, 'index');
  const victim = join(index, `${ids.acme}${oneOf(['.index', '.changes'])}`);
  const bytes = readFileSync(victim);
  const kinds: Record<string, () => void> = {
    'cut short': () => writeFileSync(victim, bytes.subarray(0, upTo(bytes.length))),
    lengthened: () => writeFileSync(victim, Buffer.concat([bytes, noise(1 + upTo(5000))])),
    'bits flipped': () => {
      const flips = 1 + upTo(4);
      for (let flip = 0; flip < flips; flip += 1) {
        // Half of them at the beginning, where the description is.
        const at = upTo(random() < 0.5 ? Math.min(1000, bytes.length) : bytes.length);
        bytes[at]! ^= 1 << upTo(8);
      }
      writeFileSync(victim, bytes);
    },
    overwritten: () => {
      const at = upTo(bytes.length);
      (random() < 0.5 ? noise(512) : Buffer.alloc(512, 0xee)).copy(bytes, at);
      writeFileSync(victim, bytes);
    },
    shifted: () => {
      const at = upTo(bytes.length);
      const gap = Math.min(bytes.length - at, 4 * (1 + upTo(16)));
      writeFileSync(
        victim,
        Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + gap), noise(gap)]),
      );
    },
    'of the other organization': () => cpSync(join(index, `${ids.other}.index`), victim),
    'out of date': () => cpSync(join(sources.outdated, basename(victim)), victim),
    'of another database': () => cpSync(join(sources.foreign, basename(victim)), victim),
    'exchanged for its changes': () => {
      const other = victim.endsWith('.index') ? `${ids.acme}.changes` : `${ids.acme}.index`;
      cpSync(join(index, other), victim);
    },
  };
  const kind = oneOf(Object.keys(kinds));
  const before = readFileSync(victim);
  kinds[kind]!();
  const isSame = readFileSync(victim).equals(before);
  return isSame ? damage(data, sources) : { kind, victim: basename(victim) };
}

function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => upTo(256)));
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
  const errors = serving
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  if (exitCode !== 0) faults.push(`${what}: exit code ${exitCode}`);
  if (errors.length > 0) faults.push(`${what}: ${errors[0]}`);
}

/** Kills a service at some moment of its work, and says at which. */
async function killOnce(data: string, number: number): Promise<string> {
  const moment = oneOf(['build', 'read', 'import'] as const);
  if (moment === 'build') rmSync(join(data, 'index'), { recursive: true, force: true });
  const path = editionFile(6 + number);
  const serving = await startService(data);
  const closed = once(serving.process, 'close');
  let isOver = Promise.resolve();
  if (moment === 'import')
    isOver = run(command, ['catalog', 'import', path, '--org', 'acme', '--data', data]).then(
      () => undefined,
    );
  const wholeMs = {
    build: 1500 + rowCount / 10,
    read: 500 + rowCount / 200,
    import: 1000 + rowCount / 50,
  };
  await delay(wholeMs[moment] * random());
  serving.process.kill('SIGKILL');
  await Promise.all([closed, isOver]);
  return `while it was to ${moment}`;
}

async function expectIntact(
  data: string,
  { keys, moment }: { keys: Keys; moment: string },
): Promise<void> {
  const expected = await answersWithoutFiles(data, keys);
  const serving = await startService(data);
  const answers = await answersOf(serving, keys);
  const wrong = answers.findIndex((answer, at) => answer !== expected[at]);
  if (wrong >= 0) faults.push(`killed ${moment}: ${answers[wrong]!.slice(0, 200)}`);
  const exitCode = await serving.stop();
  if (exitCode !== 0) faults.push(`killed ${moment}: exit code ${exitCode}`);
}
