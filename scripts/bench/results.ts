import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Figures, Measured } from './curves.ts';

/** One measurement of a run. */
export interface Step extends Pick<Measured, 'rows' | 'engine' | 'isAlone'> {
  readonly part: string;
}

/** Results of single steps in a folder, one file each, so that a stopped run can go on. */
export class Results {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Measures and keeps the figures, unless they are there. */
  async keep(
    { rows, part, engine, isAlone }: Step,
    measure: () => Promise<Figures>,
  ): Promise<Figures> {
    const name = `${rows}-${part}-${engine.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-')}.json`;
    const file = join(this.#folder, name);
    if (existsSync(file)) return readResult(file).figures;
    const loadBefore = loadavg()[0]!;
    const figures = await measure();
    const date = new Date().toISOString();
    const result: Measured = { rows, engine, isAlone, figures, loadBefore, date };
    writeFileSync(`${file}.partial`, JSON.stringify(result, null, 2));
    renameSync(`${file}.partial`, file);
    return figures;
  }

  /** All results in the order in which they were measured. */
  read(): Measured[] {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    return names
      .map((name) => readResult(join(this.#folder, name)))
      .sort((left, right) => left.date.localeCompare(right.date));
  }
}

function readResult(file: string): Measured {
  return JSON.parse(readFileSync(file, 'utf8')) as Measured;
}
