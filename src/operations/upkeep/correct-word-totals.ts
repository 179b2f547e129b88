import {
  countWordRows,
  findWordTotals,
  replaceWordTotals,
  sumWordSizes,
} from '../../storage/catalog/word-totals.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** Rows counted in one query: about a millisecond. */
const COUNTED_AT_ONCE = 10_000;

/** Rows whose sizes are added up in one query: a few milliseconds. */
const SUMMED_AT_ONCE = 2000;

/** Deleted rows among all that FTS5 counts, above which its totals are corrected. */
const DELETED_SHARE_MAX = 0.01;

/**
 * Corrects what FTS5 believes an organization's full-text index to hold, where deleted rows would change
 * BM25. Returns false if the index changed meanwhile. `pause` is called between slices.
 */
export async function correctWordTotals(
  { db }: Pick<UpkeepServices, 'db'>,
  organizationKey: number,
  pause: () => Promise<void>,
): Promise<boolean> {
  const former = await findWordTotals(db, organizationKey);
  let count = 0;
  for (let after: number | null = 0; after !== null; await pause()) {
    const counted = await countWordRows(db, organizationKey, { after, limit: COUNTED_AT_ONCE });
    count += counted.count;
    after = counted.last;
  }
  const [believed = 0] = former;
  if (believed - count <= believed * DELETED_SHARE_MAX) return true;
  const totals = former.map(() => 0);
  for (let after: number | null = 0; after !== null; await pause()) {
    const summed = await sumWordSizes(db, organizationKey, { after, limit: SUMMED_AT_ONCE });
    for (const [at, sum] of summed.totals.entries()) totals[at]! += sum;
    after = summed.last;
  }
  const [replaced] = await db.stage([replaceWordTotals(organizationKey, { former, totals })]);
  return replaced!.rowsAffected > 0;
}
