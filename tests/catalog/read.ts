import { ErrorsCsv } from '../../src/catalog/errors-csv.ts';
import type { CatalogFormat, Fault, ReaderOptions } from '../../src/catalog/record/reader.ts';
import type { CatalogItem, Context, Offering } from '../../src/domain/catalog.ts';

export interface Read {
  readonly items: CatalogItem[];
  readonly lines: number[];
  readonly faults: Fault[];
  /** `line severity code column`, in file order. */
  readonly said: string[];
  /** Content of `FILE.errors.csv`. */
  readonly errorsCsv: string;
}

const OPTIONS: ReaderOptions = { currency: 'EUR', shopUrl: 'https://shop.example', now: 0 };

/** Reads a whole file with `format`, in chunks of `chunkBytes`. */
export async function readAll(
  format: CatalogFormat,
  content: string | Uint8Array,
  { chunkBytes = 64 * 1024, name = 'file', ...options }: Partial<ReaderOptions> & ReadOptions = {},
): Promise<Read> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const source = { name, bytes: chunks(bytes, chunkBytes) };
  const items: CatalogItem[] = [];
  const lines: number[] = [];
  const faults: Fault[] = [];
  const errors = new ErrorsCsv();
  let errorsCsv = '';
  for await (const row of format.read(source, { ...OPTIONS, ...options })) {
    if ('item' in row) {
      items.push(row.item);
      lines.push(row.line);
    } else {
      faults.push(row.fault);
      errorsCsv += errors.add(row.fault);
    }
  }
  const said = faults.map(({ line, severity, code, column }) =>
    [line, severity, code, column ?? '-'].join(' '),
  );
  return { items, lines, faults, said, errorsCsv: errorsCsv + errors.end() };
}

interface ReadOptions {
  readonly chunkBytes?: number;
  readonly name?: string;
}

export async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export function offering(items: readonly CatalogItem[], index = 0): Offering {
  const item = items[index];
  if (item?.type !== 'product') throw new Error('There is no such product.');
  return item;
}

export function context(items: readonly CatalogItem[], index = 0): Context {
  const item = items[index];
  if (item?.type !== 'context') throw new Error('There is no such context.');
  return item;
}
