import { constants, createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ErrorsCsv } from '../../catalog/errors-csv.ts';
import type { Fault } from '../../catalog/record/reader.ts';

/** Faults that are printed of one file. */
const PRINTED_FAULTS_MAX = 10;

/** Of a record that its owner keeps from the public. */
const NOT_PUBLISHED = 'not_published';

/** Prints the first faults of a file, errors and warnings alike, each as one line. */
export class FaultLines {
  readonly #print: (line: string) => void;
  #count = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  add({ file, line, message, severity, code }: Omit<Fault, 'raw'>): void {
    this.#count += 1;
    if (this.#count > PRINTED_FAULTS_MAX) return;
    this.#print(`${file}:${line}: ${severity}: ${message} (${code})`);
  }

  /** How many were not printed. */
  get hiddenCount(): number {
    return Math.max(0, this.#count - PRINTED_FAULTS_MAX);
  }
}

/** Prints the first faults of an import, and writes every record to correct to a file that can be imported again. */
export class FaultReport {
  readonly #print: (line: string) => void;
  readonly #lines: FaultLines;
  readonly #path: string;
  readonly #csv = new ErrorsCsv();
  #file: WriteStream | null = null;

  /** The file goes to `path`, or, where that folder cannot be written, into the current or the temporary one. */
  static async open(path: string, print: (line: string) => void): Promise<FaultReport> {
    const name = basename(path);
    for (const candidate of [path, name]) {
      if (await isWritable(dirname(candidate))) return new FaultReport(candidate, print);
    }
    return new FaultReport(join(tmpdir(), name), print);
  }

  private constructor(path: string, print: (line: string) => void) {
    this.#print = print;
    this.#lines = new FaultLines(print);
    this.#path = path;
    rmSync(path, { force: true });
  }

  add(fault: Fault): void {
    this.#lines.add(fault);
    // A draft is left out on purpose: there is nothing to correct.
    if (fault.code === NOT_PUBLISHED) return;
    this.#file ??= createWriteStream(this.#path);
    this.#file.write(this.#csv.add(fault));
  }

  async end(): Promise<void> {
    const { hiddenCount } = this.#lines;
    if (hiddenCount > 0) this.#print(`… and ${hiddenCount} more`);
    if (this.#file === null) return;
    const file = this.#file;
    await new Promise<void>((resolve) => file.end(this.#csv.end(), () => resolve()));
    this.#print(`The records to correct are in ${this.#path}: correct and import that file.`);
  }
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
