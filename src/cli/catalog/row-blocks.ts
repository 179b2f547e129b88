import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import type { CatalogRow, Fault, RawRecord } from '../../catalog/record/reader.ts';
import { withoutRaw } from '../../operations/imports/row-streams.ts';

/** Rows in the form that a caller wants, and what their reading has found. */
export interface RowBlock<Content> {
  readonly content: Content;
  readonly rows: number;
  /** All faults of a record are in one block and share its `raw`. */
  readonly faults: readonly Fault[];
  /** Bytes of the input read so far. */
  readonly readBytes: number;
}

/** Collects the rows of a block. */
export interface RowCollector<Content> {
  /** Characters or bytes so far. */
  readonly length: number;
  add(row: CatalogRow): void;
  finish(): Content;
}

/** Rows as JSON lines. */
export class RowLines implements RowCollector<string> {
  #lines = '';

  get length(): number {
    return this.#lines.length;
  }

  add(row: CatalogRow): void {
    this.#lines += `${JSON.stringify(row)}\n`;
  }

  finish(): string {
    return this.#lines;
  }
}

/**
 * Joins rows to blocks of at least `length` characters or bytes, without original records, which only
 * the list of faults needs. A repeated external id is a fault.
 */
export async function* rowBlocks<Content>(
  rows: AsyncIterable<CatalogRow>,
  {
    length,
    readBytes,
    begin,
  }: { readonly length: number; readBytes(): number; begin(): RowCollector<Content> },
): AsyncGenerator<RowBlock<Content>> {
  let collector = begin();
  let count = 0;
  let faults: Fault[] = [];
  let raw: RawRecord | null = null;
  for await (const row of withoutDuplicates(rows)) {
    const isSameRecord = 'fault' in row && row.fault.raw !== null && row.fault.raw === raw;
    if (collector.length >= length && !isSameRecord) {
      yield { content: collector.finish(), rows: count, faults, readBytes: readBytes() };
      [collector, count, faults] = [begin(), 0, []];
    }
    collector.add(withoutRaw(row));
    count += 1;
    if (!('fault' in row)) continue;
    faults.push(row.fault);
    raw = row.fault.raw;
  }
  if (count > 0) yield { content: collector.finish(), rows: count, faults, readBytes: readBytes() };
}
