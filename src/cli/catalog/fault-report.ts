import { createWriteStream, existsSync, openSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
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

/** Folders that mark the top of a repository. */
const REPOSITORIES = ['.git', '.hg', '.svn'];

/**
 * Prints the first faults of an import, and writes every record to correct to a file that can be imported
 * again. The file goes to `path` or, where it cannot be written, into the current or the temporary folder.
 */
export class FaultReport {
  readonly #print: (line: string) => void;
  readonly #lines: FaultLines;
  readonly #path: string;
  readonly #csv = new ErrorsCsv();
  #file: { readonly path: string; readonly stream: WriteStream } | null = null;
  /** Why the file is incomplete or missing. */
  #problem: string | null = null;

  constructor(path: string, print: (line: string) => void) {
    this.#print = print;
    this.#lines = new FaultLines(print);
    this.#path = path;
  }

  add(fault: Fault): void {
    this.#lines.add(fault);
    // A draft is left out on purpose: there is nothing to correct.
    if (fault.code === NOT_PUBLISHED || this.#problem !== null) return;
    this.#file ??= this.#open();
    this.#file?.stream.write(this.#csv.add(fault));
  }

  async end(): Promise<void> {
    const { hiddenCount } = this.#lines;
    if (hiddenCount > 0) this.#print(`… and ${hiddenCount} more`);
    if (this.#file !== null) await this.#finish(this.#file);
    // An earlier import's, which would be mistaken for this one's.
    else if (this.#problem === null) await rm(this.#path, { force: true }).catch(() => undefined);
    if (this.#problem !== null)
      this.#print(`The records to correct could not be written to a file: ${this.#problem}.`);
  }

  #open(): { path: string; stream: WriteStream } | null {
    const name = basename(this.#path);
    for (const path of new Set([this.#path, name, join(tmpdir(), name)])) {
      const fd = openForWriting(path);
      if (fd === null) continue;
      const stream = createWriteStream(path, { fd });
      stream.on('error', ({ message }) => {
        this.#problem = message;
      });
      return { path, stream };
    }
    this.#problem = 'neither this folder nor the temporary one can be written';
    return null;
  }

  async #finish({ path, stream }: { path: string; stream: WriteStream }): Promise<void> {
    stream.end(this.#csv.end());
    await finished(stream).catch(() => undefined);
    if (this.#problem !== null) return;
    this.#print(`The records to correct are in ${path}: correct and import that file.`);
    const repository = repositoryAround(dirname(resolve(path)));
    if (repository !== null)
      this.#print(`It lies in the repository ${repository}: take care not to commit it.`);
  }
}

/** Replaces the file; null where that is not possible. */
function openForWriting(path: string): number | null {
  try {
    return openSync(path, 'w');
  } catch {
    return null;
  }
}

function repositoryAround(folder: string): string | null {
  if (REPOSITORIES.some((name) => existsSync(join(folder, name)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : repositoryAround(parent);
}
