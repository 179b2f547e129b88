/**
 * Kills vitrine at chosen moments of its work, and checks what the next start makes of it:
 *
 *   bun scripts/kill-moments.ts [--rows 20000] [--older FOLDER] [--only WORD] [--moments 1-99]
 *     [--keep FOLDER] [--binary FILE]
 *
 * The work is: building an index, loading it from its file, imports by a command and beside a service, folding
 * changes in, a restore, and the upgrade of a data folder that an older vitrine wrote (--older; it also
 * replaces the generated catalogue). A moment is told by what the program has done: a line that it printed, a
 * file that appears, bytes written or read, threads at work. Afterwards a service must start, and its answers to 200
 * questions and all its items must be those of a service that was never killed: of the catalogue before the work
 * or after it, and after it if that was acknowledged. Linux only. Exit code 1 if any of this is not so.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SOURCE_COMMAND, type Started } from '../tests/support/processes.ts';
import { feedLines, feedOfferings } from './bench/feed.ts';
import { chooseQuestions } from './bench/questions.ts';
import { copyData, DataFolders, type Said } from './harm/data-folder.ts';
import { type Moment, most } from './harm/moments.ts';
import { lookAt, type Sight } from './harm/watch.ts';
import { type Running, type State, type Work, worksFor } from './harm/works.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    older: { type: 'string' },
    only: { type: 'string', default: '' },
    moments: { type: 'string', default: '1-99' },
    keep: { type: 'string' },
    binary: { type: 'string' },
  },
});
const program = values.binary === undefined ? SOURCE_COMMAND : [values.binary];
const rows = Number(values.rows);

const QUESTIONS = 200;
const VOCABULARY = 50_000;
const WORDS = 18;

/** The work of a service that has shown no change for so long is over. */
const QUIET_MS = 3000;

const LOOK_EVERY_MS = 1;

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
mkdirSync(folder, { recursive: true });
const questions = chooseQuestions(
  [...feedOfferings({ rows, words: WORDS, vocabulary: VOCABULARY })],
  {
    file: undefined,
    count: QUESTIONS,
  },
);
const folders = new DataFolders(program, questions);
const faults: string[] = [];
try {
  await killAll();
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

async function killAll(): Promise<void> {
  const feeds = {
    whole: feedFile('whole', rows),
    quarter: feedFile('quarter', Math.ceil(rows / 4)),
    hundredth: feedFile('hundredth', Math.ceil(rows / 100)),
  };
  const old = folderOf('old');
  const backup = join(folder, 'backup.db');
  if (!existsSync(backup)) {
    await prepareOld(old);
    await folders.vitrine(old, 'backup', backup);
  }
  const said = new Map<State, Said>();
  const works = worksFor(program, { backup, feeds }, folders).filter(
    ({ name, from }) =>
      name.includes(values.only) && (from !== 'older' || values.older !== undefined),
  );
  for (const work of works) {
    for (const state of [work.from, work.to])
      if (state !== 'older' && !said.has(state)) said.set(state, await saidOf(state, feeds));
    await killAtEachMoment(work, said);
  }
  console.log(faults.length === 0 ? 'Nothing lost, nothing in part.' : faults.join('\n'));
  if (faults.length > 0) process.exitCode = 1;
}

/** Other texts for the first of the offerings. */
function feedFile(name: string, count: number): string {
  const path = join(folder, `${name}.jsonl`);
  const options = { rows: count, words: WORDS, vocabulary: VOCABULARY, seed: 8 };
  writeFileSync(path, [...feedLines({ ...options, bytes: Number.POSITIVE_INFINITY })].join(''));
  return path;
}

/** A data folder with the catalogue and the file of its index. */
async function prepareOld(data: string): Promise<void> {
  if (values.older !== undefined) {
    copyData(values.older, data);
    await folders.vitrine(data, 'org', 'list');
    for (const name of readdirSync(data))
      if (name.startsWith('before-migration-') || name === 'index')
        rmSync(join(data, name), { recursive: true });
  } else {
    const path = join(folder, 'old.jsonl');
    const options = { rows, words: WORDS, vocabulary: VOCABULARY, bytes: Number.POSITIVE_INFINITY };
    writeFileSync(path, [...feedLines(options)].join(''));
    await folders.vitrine(data, 'init', '--org', 'Acme');
    await folders.vitrine(data, 'catalog', 'import', path);
  }
  await folders.vitrine(data, 'org', 'set', '--unlimited');
  const serving = await folders.serve(data);
  await folders.askService(serving, data);
  while (!hasIndexFile(data)) await delay(LOOK_EVERY_MS);
  await serving.stop();
}

function folderOf(name: string): string {
  return join(folder, name);
}

function hasIndexFile(data: string): boolean {
  const index = join(data, 'index');
  const names = existsSync(index) ? readdirSync(index) : [];
  return (
    names.some((name) => name.endsWith('.index')) &&
    !names.some((name) => name.endsWith('.partial'))
  );
}

/** What is said of a catalogue that nobody killed. Keeps its folder. */
async function saidOf(state: State, feeds: Readonly<Record<string, string>>): Promise<Said> {
  const data = folderOf(state);
  const path = `${data}.json`;
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Said;
  const apart = folderOf('data');
  if (state !== 'old') {
    copyData(folderOf('old'), data);
    await folders.vitrine(data, 'catalog', 'import', feeds[state]!);
  }
  copyData(data, apart);
  // Made from the database alone.
  rmSync(join(apart, 'index'), { recursive: true });
  const said = await folders.ask(apart);
  writeFileSync(path, JSON.stringify(said));
  return said;
}

async function killAtEachMoment(work: Work, said: ReadonlyMap<State, Said>): Promise<void> {
  console.log(`${work.name}:`);
  const outcomes: Record<string, number> = {};
  let missed = 0;
  const whole = await follow(work, null);
  const [first = 1, last = first] = values.moments.split('-').map(Number);
  const moments = work.moments().slice(first - 1, last);
  for (const moment of moments) {
    const killed = await follow(work, { moment, whole: whole.most });
    if (!killed.isReached) missed += 1;
    const outcome = await outcomeOf(work, said, killed.isAcknowledged).catch(
      (error: unknown) => `fault: ${String(error)}`,
    );
    if (outcome.startsWith('fault')) faults.push(`${work.name}, ${moment.name}: ${outcome}`);
    const label = outcome.startsWith('fault') ? 'fault' : outcome;
    console.log(`  ${killed.isReached ? moment.name : `(after) ${moment.name}`}: ${label}`);
    outcomes[label] = (outcomes[label] ?? 0) + 1;
  }
  const told = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  console.log(`${work.name}: ${moments.length - missed} kills, ${told.join(', ')}`);
}

interface Followed {
  readonly isReached: boolean;
  readonly isAcknowledged: boolean;
  /** The most that was seen of it. */
  readonly most: Sight;
}

/** Lets it work on a copy of its folder until the moment, and kills it then; with null until it has done. */
async function follow(
  work: Work,
  until: { readonly moment: Moment; readonly whole: Sight } | null,
): Promise<Followed> {
  const data = folderOf('data');
  copyData(work.from === 'older' ? values.older! : folderOf(work.from), data);
  const running = await work.begin(data);
  const { victim, command } = running;
  const look = () =>
    lookAt(victim.process.pid!, { data, printed: victim.stderr() + (command ?? victim).stdout() });
  const begin = look();
  let seen = begin;
  let changedMs = performance.now();
  let isReached = false;
  while (!isReached && victim.process.exitCode === null) {
    const now = look();
    isReached = until?.moment.isReached(now, begin, until.whole) === true;
    const next = most(seen, now);
    if (isChanged(seen, next)) changedMs = performance.now();
    // A command ends by itself.
    else if (victim !== command && performance.now() - changedMs > QUIET_MS) break;
    seen = next;
    await delay(LOOK_EVERY_MS);
  }
  const closed = victim.process.exitCode === null ? once(victim.process, 'close') : null;
  victim.process.kill('SIGKILL');
  await closed;
  await running.end();
  return { isReached, isAcknowledged: isAcknowledged(running), most: seen };
}

function isChanged(before: Sight, after: Sight): boolean {
  return before.writtenBytes < after.writtenBytes || before.threads !== after.threads;
}

function isAcknowledged({ command }: Running): boolean {
  return command !== null && isWhole(command);
}

function isWhole({ stdout }: Started): boolean {
  try {
    JSON.parse(stdout());
    return true;
  } catch {
    return false;
  }
}

/** Which catalogue a service now serves; throws if it is neither, or not the one that was acknowledged. */
async function outcomeOf(
  { from, to }: Work,
  said: ReadonlyMap<State, Said>,
  isDone: boolean,
): Promise<string> {
  const data = folderOf('data');
  const now = await folders.ask(data);
  if (from === 'older') assertBackedUp(data);
  const matches = (state: State) => difference(now, said.get(state)!) === null;
  if (matches(to))
    return from === to || from === 'older' ? 'as before' : isDone ? 'new, acknowledged' : 'new';
  if (from === 'older' || from === to) throw new Error(difference(now, said.get(to)!)!);
  if (!matches(from)) throw new Error(`neither old nor new: ${difference(now, said.get(from)!)}`);
  if (isDone) throw new Error('acknowledged, and lost');
  return 'old';
}

function difference(one: Said, other: Said): string | null {
  if (one.count !== other.count) return `${one.count} items, not ${other.count}`;
  if (one.items !== other.items) return 'other items';
  const at = one.answers.findIndex((answer, place) => answer !== other.answers[place]);
  return at < 0 ? null : `answered otherwise: ${one.answers[at]!.slice(0, 300)}`;
}

/** Throws unless there is one whole backup from before the upgrade, and nothing unfinished. */
function assertBackedUp(data: string): void {
  const names = readdirSync(data);
  const unfinished = names.find((name) => name.endsWith('.partial'));
  if (unfinished !== undefined) throw new Error(`${unfinished} is left`);
  const backups = names.filter((name) => /^before-migration-.*\.db$/.test(name));
  if (backups.length === 0) throw new Error('no backup from before the upgrade');
  for (const name of backups) {
    const { sha256 } = JSON.parse(readFileSync(join(data, `${name}.json`), 'utf8')) as {
      sha256: string;
    };
    const digest = createHash('sha256')
      .update(readFileSync(join(data, name)))
      .digest('hex');
    if (digest !== sha256) throw new Error(`${name} is not what its manifest says`);
  }
}
