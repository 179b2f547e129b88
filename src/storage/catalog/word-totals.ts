import { FIELDS } from '../../domain/field.ts';
import type { Database } from '../engine/database.ts';
import type { Statement } from '../engine/statement.ts';
import { tableOf } from './word-index.ts';

/*
 * FTS5 keeps in its table `…_data` how many rows there are and how many terms each of their columns holds,
 * and computes BM25 from them. In a table with `contentless_delete`, a deleted row stays in these totals
 * for good (SQLite 3.45), also after 'optimize'. Sizes of single rows are in `…_docsize`.
 */

/** The row of `…_data` with the totals. */
const TOTALS = 1;

/** The totals as FTS5 has them: first the rows, then the terms of each column. */
export async function findWordTotals(db: Database, organizationKey: number): Promise<number[]> {
  const [row] = await db.all<{ totals: string }>({
    sql: `SELECT hex(block) AS totals FROM ${tableOf(organizationKey)}_data WHERE id = ${TOTALS}`,
    args: [],
  });
  return readVarints(row?.totals ?? '');
}

/** Counts the next rows after `after`, at most `limit`. `last` is null at the end. */
export async function countWordRows(
  db: Database,
  organizationKey: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ count: number; last: number | null }> {
  const [row] = await db.all<{ count: number; last: number | null }>({
    sql: `SELECT count(*) AS count, max(id) AS last FROM
            (SELECT id FROM ${tableOf(organizationKey)}_docsize WHERE id > ? ORDER BY id LIMIT ?)`,
    args: [after, limit],
  });
  return row!;
}

/** The totals of the next rows after `after`, at most `limit`. `last` is null at the end. */
export async function sumWordSizes(
  db: Database,
  organizationKey: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ totals: number[]; last: number | null }> {
  const [row] = await db.all<{ sizes: string | null; last: number | null }>({
    sql: `SELECT group_concat(hex(sz), '') AS sizes, max(id) AS last FROM
            (SELECT id, sz FROM ${tableOf(organizationKey)}_docsize WHERE id > ? ORDER BY id LIMIT ?)`,
    args: [after, limit],
  });
  const { sizes, last } = row!;
  const totals = [0, ...FIELDS.map(() => 0)];
  for (const [at, size] of readVarints(sizes ?? '').entries()) {
    const column = at % FIELDS.length;
    if (column === 0) totals[0]! += 1;
    totals[1 + column]! += size;
  }
  return { totals, last };
}

/**
 * Replaces the totals. Affects no row if others were written meanwhile, or rows were deleted. Needs a
 * transaction of its own, at whose end FTS5 could otherwise write the totals that it has read.
 */
export function replaceWordTotals(
  organizationKey: number,
  { former, totals }: { readonly former: readonly number[]; readonly totals: readonly number[] },
): Statement {
  const table = tableOf(organizationKey);
  return {
    sql: `UPDATE ${table}_data SET block = ? WHERE id = ${TOTALS} AND block = ?
          AND (SELECT count(*) FROM ${table}_docsize) = ?`,
    args: [writeVarints(totals), writeVarints(former), totals[0]!],
  };
}

/** SQLite's variable-length integers: seven bits a byte, the highest first. Below 2^53. */
function readVarints(hex: string): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of Buffer.from(hex, 'hex')) {
    number = number * 0x80 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

function writeVarints(numbers: readonly number[]): Uint8Array {
  return Uint8Array.from(
    numbers.flatMap((number) => {
      const bytes = [number % 0x80];
      for (let rest = Math.floor(number / 0x80); rest > 0; rest = Math.floor(rest / 0x80))
        bytes.unshift(0x80 + (rest % 0x80));
      return bytes;
    }),
  );
}
