import type { CatalogRow } from '../../catalog/record/reader.ts';
import type { ImportServices } from './import-services.ts';
import type { PreparedRows, RowTarget } from './prepare-rows.ts';

/** Rows between two pauses, so that reading blocks the event loop for only a few milliseconds. */
const ROWS_AT_ONCE = 100;

/** Yields to the event loop between rows. Throws if the service stops, so that half a feed is never imported. */
export async function* withPauses(
  rows: AsyncIterable<CatalogRow>,
  { platform, signal }: Pick<ImportServices, 'platform'> & { signal: AbortSignal },
): AsyncGenerator<CatalogRow> {
  let count = 0;
  for await (const row of rows) {
    signal.throwIfAborted();
    count += 1;
    if (count % ROWS_AT_ONCE === 0) await platform.yield();
    yield row;
  }
}

/** A row without its original record, which only a list of faults needs. */
export function withoutRaw(row: CatalogRow): CatalogRow {
  return 'fault' in row ? { fault: { ...row.fault, raw: null } } : { ...row, raw: null };
}

/** Rows as blocks of JSON lines, whose reader can prepare them as well instead of writing them as JSON. */
export interface PreparingRows extends AsyncIterable<string> {
  prepare(target: RowTarget): AsyncIterable<PreparedRows>;
}

export function canPrepare(rows: AsyncIterable<string>): rows is PreparingRows {
  return 'prepare' in rows;
}
