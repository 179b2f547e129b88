import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/storage/engine/database.ts';
import type { Random } from './garbage.ts';
import { postUntilGone } from './kill-hits.ts';
import { run, serve } from './processes.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

const CLIENTS = 8;

/** Bytes that a disk writes atomically. */
const SECTOR_BYTES = 512;

/** The files of a database on disk. SQLite rebuilds the index of its log. */
const FILES = ['vitrine.db', 'vitrine.db-wal'] as const;
type File = (typeof FILES)[number];

/** A file operation of a program. A power cut may lose it until a sync. */
type Change =
  | { readonly kind: 'write'; readonly file: File; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: File; readonly length: number };

interface Sync {
  readonly kind: 'sync';
  readonly file: File;
}

/** One recorded event: a file operation, a sync, or an answer to a client. */
type Event = Change | Sync | { readonly kind: 'answered'; readonly hitId: string };

export interface Recording {
  /** The files as they were before the first event, by name. */
  readonly before: ReadonlyMap<File, Buffer>;
  /** In the order in which the system was asked. */
  readonly events: readonly Event[];
}

/** Whether system calls can be recorded here. */
export function canRecord(): boolean {
  return spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
}

/**
 * Posts hits to a service until so many are acknowledged, with every write that it asks the system for
 * recorded by strace.
 */
export async function recordWrites(
  command: readonly string[],
  { folder, hits }: { folder: string; hits: number },
): Promise<Recording> {
  const initialized = await run(command, ['init', '--org', 'Acme', '--data', folder, '--json']);
  const { apiKey } = JSON.parse(initialized.stdout) as { apiKey: string };
  await run(command, ['org', 'set', '--unlimited', '--data', folder]);
  const before = new Map(FILES.map((file) => [file, readIfThere(join(folder, file))]));
  const trace = `${folder}.trace`;
  const calls = 'trace=pwrite64,ftruncate,fsync,fdatasync,sendto,sendmsg,write,writev';
  const strace = ['strace', '-f', '-y', '-xx', '-s', '1000000', '-e', calls, '-o', trace];
  const serving = await serve([...strace, ...command], ['--data', folder, '--embedder', 'off']);
  const closed = once(serving.process, 'close');
  const acknowledged = new Set<string>();
  const clients = Array.from({ length: CLIENTS }, () =>
    postUntilGone(`${serving.url}/rest/hits/`, apiKey, acknowledged),
  );
  while (acknowledged.size < hits && serving.process.exitCode === null) await Bun.sleep(5);
  // Of the service itself: killed, strace would let it go on.
  const pid = /^(\d+)/.exec(readFileSync(trace, 'latin1').slice(0, 20))![1]!;
  process.kill(Number(pid), 'SIGKILL');
  await Promise.all([closed, ...clients]);
  return { before, events: readTrace(readFileSync(trace, 'latin1')) };
}

/** The source as it would be if commits did not wait for the disk; `command` runs it. */
export function copyWithoutSync(folder: string): { command: readonly string[]; remove(): void } {
  mkdirSync(folder);
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'src', 'storage', 'engine', 'database.ts');
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.replaceAll('synchronous = FULL', 'synchronous = NORMAL'));
  return {
    command: [process.execPath, join(folder, 'src', 'main.ts')],
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function readIfThere(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

/** strace splits a call that another thread interrupts into two lines: its arguments, then its result. */
const CALL = /^(\d+) +(\w+)\((\d+)<([^>]*)>(?:, (.*?))?(?:\) += (-?\d+).*| <unfinished \.\.\.>)$/;
const RESUMED = /^(\d+) +<\.\.\. (fsync|fdatasync) resumed>\) += 0/;

function readTrace(trace: string): Event[] {
  const events: Event[] = [];
  const syncing = new Map<string, File>();
  for (const line of trace.split('\n')) {
    const [, resumed] = RESUMED.exec(line) ?? [];
    if (resumed !== undefined && syncing.has(resumed)) {
      events.push({ kind: 'sync', file: syncing.get(resumed)! });
      syncing.delete(resumed);
    }
    const [, thread, call, , path, args = '', outcome] = CALL.exec(line) ?? [];
    if (thread === undefined || path === undefined) continue;
    const file = FILES.find((name) => unescaped(path).toString().endsWith(`/${name}`));
    if (file === undefined) {
      if (/^(?:send|write)/.test(call!)) events.push(...answersIn(args));
    } else if (call === 'pwrite64') {
      const [, text, at] = /^"([^"]*)", \d+, (\d+)/.exec(args)!;
      events.push({ kind: 'write', file, at: Number(at), bytes: unescaped(text!) });
    } else if (call === 'ftruncate') {
      events.push({ kind: 'truncate', file, length: Number(args) });
    } else if (outcome === undefined) {
      syncing.set(thread, file);
    } else if (outcome === '0') {
      events.push({ kind: 'sync', file });
    }
  }
  return events;
}

/** `\x48\x69` → `Hi`; a path stands as it is. */
function unescaped(text: string): Buffer {
  return text.startsWith('\\x')
    ? Buffer.from(text.replaceAll('\\x', ''), 'hex')
    : Buffer.from(text);
}

function answersIn(args: string): Event[] {
  const sent = [...args.matchAll(/"((?:\\x[0-9a-f]{2})+)"/g)]
    .map(([, text]) => unescaped(text!).toString('latin1'))
    .join('');
  if (!sent.includes('HTTP/1.1 201')) return [];
  return [...sent.matchAll(/\{"id":"([0-9a-f-]{36})"/g)].map(([, hitId]) => ({
    kind: 'answered',
    hitId: hitId!,
  }));
}

/** A growable buffer of a file's bytes. */
class Content {
  #bytes: Buffer;
  #length: number;

  constructor(bytes: Buffer) {
    this.#bytes = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  resize(length: number): void {
    if (length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.max(length, 2 * this.#bytes.length));
    if (length > this.#length) this.#bytes.fill(0, this.#length, length);
    this.#length = length;
  }

  /** Applies the sectors of a write for which `isKept` is true. */
  apply(event: Change, isKept: () => boolean): void {
    if (event.kind === 'truncate') {
      if (isKept()) this.resize(event.length);
      return;
    }
    const { at, bytes } = event;
    for (let from = 0, to = 0; from < bytes.length; from = to) {
      const sectorEnd = (Math.floor((at + from) / SECTOR_BYTES) + 1) * SECTOR_BYTES;
      to = Math.min(bytes.length, sectorEnd - at);
      if (!isKept()) continue;
      this.resize(Math.max(this.#length, at + to));
      bytes.copy(this.#bytes, at + from, from, to);
    }
  }
}

/** A disk: synced data, and later writes that may or may not have reached it. */
class Disk {
  readonly #kept: Content;
  readonly #waiting: Change[] = [];

  constructor(bytes: Buffer) {
    this.#kept = new Content(bytes);
  }

  take(event: Change | Sync): void {
    if (event.kind !== 'sync') this.#waiting.push(event);
    else for (const change of this.#waiting.splice(0)) this.#kept.apply(change, () => true);
  }

  /** The files after a power cut: synced data plus a random subset of unsynced sectors. */
  cut(random: Random): Buffer {
    const share = random();
    const left = new Content(this.#kept.bytes);
    for (const change of this.#waiting) left.apply(change, () => random() < share);
    return left.bytes;
  }
}

export interface CutOutcome {
  readonly images: number;
  /** Hits answered 201 before the last cut. */
  readonly acknowledged: number;
  /** Images that lack a hit that had been answered 201. */
  readonly losing: number;
  /** Faults of images that did not open or were incomplete. */
  readonly damaged: readonly string[];
}

/** Simulates power cuts at that many points of a recording, and checks what the next start finds. */
export async function cutPower(
  { before, events }: Recording,
  { count, random }: { count: number; random: Random },
): Promise<CutOutcome> {
  const cuts = Array.from({ length: count }, () => Math.floor(random() * (events.length + 1)));
  cuts.sort((a, b) => a - b);
  const disks = new Map([...before].map(([file, content]) => [file, new Disk(content)]));
  const acknowledged: string[] = [];
  const damaged: string[] = [];
  let losing = 0;
  let done = 0;
  for (const cut of cuts) {
    for (const event of events.slice(done, cut)) {
      if (event.kind === 'answered') acknowledged.push(event.hitId);
      else disks.get(event.file)!.take(event);
    }
    done = cut;
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-cut-'));
    for (const [file, disk] of disks) writeFileSync(join(folder, file), disk.cut(random));
    const found = await hitsIn(join(folder, FILES[0]));
    if (typeof found === 'string') damaged.push(found);
    else if (acknowledged.some((id) => !found.has(id))) losing += 1;
    rmSync(folder, { recursive: true });
  }
  return { images: count, acknowledged: acknowledged.length, losing, damaged };
}

/** The ids of the hits that a start finds, or why the start fails. */
async function hitsIn(path: string): Promise<ReadonlySet<string> | string> {
  try {
    const db = await openDatabase(path, { create: false });
    const [check] = await db.all<{ integrity_check: string }>({
      sql: 'PRAGMA integrity_check',
      args: [],
    });
    const rows = await db.all<{ id: string }>({
      sql: `SELECT body ->> 'id' AS id FROM hits`,
      args: [],
    });
    await db.close();
    if (check!.integrity_check !== 'ok') return check!.integrity_check;
    return new Set(rows.map(({ id }) => id));
  } catch (error) {
    return String(error);
  }
}
