import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import type { CatalogRow, Fault, RawRecord } from '../../catalog/record/reader.ts';
import { withoutRaw } from '../../operations/imports/row-streams.ts';

/** Rows as JSON lines, and what their reading has found. */
export interface RowBlock {
  readonly lines: string;
  readonly rows: number;
  /** All faults of a record are in one block and share its `raw`. */
  readonly faults: readonly Fault[];
  /** Bytes of the input read so far. */
  readonly readBytes: number;
}

/**
 * Joins rows to blocks of at least `length` characters, without original records, which only the
 * list of faults needs. A repeated external id is a fault.
 */
export async function* rowBlocks(
  rows: AsyncIterable<CatalogRow>,
  { length, readBytes }: { readonly length: number; readBytes(): number },
): AsyncGenerator<RowBlock> {
  let lines = '';
  let count = 0;
  let faults: Fault[] = [];
  let raw: RawRecord | null = null;
  for await (const row of withoutDuplicates(rows)) {
    const isSameRecord = 'fault' in row && row.fault.raw !== null && row.fault.raw === raw;
    if (lines.length >= length && !isSameRecord) {
      yield { lines, rows: count, faults, readBytes: readBytes() };
      [lines, count, faults] = ['', 0, []];
    }
    lines += `${JSON.stringify(withoutRaw(row))}\n`;
    count += 1;
    if (!('fault' in row)) continue;
    faults.push(row.fault);
    raw = row.fault.raw;
  }
  if (count > 0) yield { lines, rows: count, faults, readBytes: readBytes() };
}
