import { type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What can be seen of a process and its data folder from outside, on Linux. */
export interface Sight {
  /** Bytes that the process has read and written in all. */
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Processor time of the threads of lower priority, which build indexes, in ticks of 10 ms; empty without any. */
  readonly threads: readonly number[];
  /** Sizes of the files in the data folder, by their path in it. */
  readonly files: ReadonlyMap<string, number>;
  /** Files that the process has open, by the same paths. */
  readonly open: ReadonlySet<string>;
  /** What it, or the command that asks it, has printed. */
  readonly printed: string;
}

/** Places of numbers in `stat` after the name of the program, see proc_pid_stat(5). */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const NICE = 16;

export function lookAt(pid: number, { data, printed }: { data: string; printed: string }): Sight {
  const process = `/proc/${pid}`;
  const io = numbersIn(readText(`${process}/io`));
  const [nice] = threadOf(`${process}/stat`);
  const threads = namesIn(`${process}/task`).map((id) => threadOf(`${process}/task/${id}/stat`));
  return {
    readBytes: io['rchar'] ?? 0,
    writtenBytes: io['wchar'] ?? 0,
    threads: threads.filter(([own]) => own > nice).map(([, ticks]) => ticks),
    files: filesIn(data),
    open: openFiles(process, data),
    printed,
  };
}

/** Niceness and ticks. */
function threadOf(path: string): readonly [number, number] {
  const text = readText(path);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (place: number) => Number(fields[place] ?? 0);
  return [at(NICE), at(USER_TICKS) + at(SYSTEM_TICKS)];
}

function numbersIn(text: string): Record<string, number> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+): (\d+)$/gm)].map(([, name, number]) => [name!, Number(number)]),
  );
}

function filesIn(data: string): Map<string, number> {
  const entries = tried<Dirent[]>(
    () => readdirSync(data, { withFileTypes: true, recursive: true }),
    [],
  );
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(data, path), tried(() => statSync(path).size, 0)]),
  );
}

function openFiles(process: string, data: string): Set<string> {
  const targets = namesIn(`${process}/fd`).map((id) =>
    tried(() => readlinkSync(`${process}/fd/${id}`), ''),
  );
  return new Set(
    targets.filter((path) => path.startsWith(data)).map((path) => relative(data, path)),
  );
}

function namesIn(folder: string): string[] {
  return tried(() => readdirSync(folder), []);
}

function readText(path: string): string {
  return tried(() => readFileSync(path, 'latin1'), '');
}

/** What is looked at may be gone by then. */
function tried<Value>(look: () => Value, otherwise: Value): Value {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
