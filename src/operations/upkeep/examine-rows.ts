import { crc32 } from 'node:zlib';
import type { Platform } from '../../platform.ts';
import { type DamagedRecord, findItemBytes } from '../../storage/catalog/quarantine.ts';
import {
  CHECKED_COLUMNS,
  type CheckedRow,
  findCheckedRows,
  findOwner,
  type RowKind,
  saveChecksums,
} from '../../storage/catalog/row-checksums.ts';
import type { Database } from '../../storage/engine/database.ts';

/** Rows read per slice: below a millisecond, because a search may wait for it. */
const ROWS_AT_ONCE = 50;

const REASONS: Readonly<Record<RowKind, string>> = {
  item: 'a column of its row is not what was stored',
  document: 'a column of one of its documents is not what was stored',
  vector: 'its embedding is not what was stored',
};

/**
 * Every row of a catalogue that is not what its checksum says. With `seal`, rows without a checksum get
 * one.
 */
export async function* findDamagedRows(
  { db, platform }: { readonly db: Database; readonly platform: Pick<Platform, 'yield'> },
  { seal }: { readonly seal: boolean },
): AsyncGenerator<DamagedRecord> {
  for (const kind of Object.keys(CHECKED_COLUMNS) as RowKind[]) {
    for (let after = 0; ; ) {
      const rows = await findCheckedRows(db, kind, { after, limit: ROWS_AT_ONCE });
      if (rows.length === 0) break;
      const unsealed = rows.filter(({ checksum }) => checksum === null);
      if (seal && unsealed.length > 0) await db.stage([saveChecksums(kind, unsealed.map(sealed))]);
      for (const row of rows) if (isDamaged(row)) yield* recordOf(db, kind, row);
      after = rows.at(-1)!.key;
      await platform.yield();
    }
  }
}

/** Whether a row is still what it was when it was found damaged. */
export async function isStillDamaged(
  db: Database,
  { kind, key, text }: NonNullable<DamagedRecord['row']>,
): Promise<boolean> {
  const [row] = await findCheckedRows(db, kind, { after: key - 1, limit: 1 });
  return row?.key === key && row.text === text && isDamaged(row);
}

function sealed({ key, text }: CheckedRow): { key: number; text: string; checksum: number } {
  return { key, text, checksum: crc32(text) };
}

function isDamaged({ text, checksum }: CheckedRow): boolean {
  return checksum !== null && crc32(text) !== checksum;
}

async function* recordOf(
  db: Database,
  kind: RowKind,
  { key, text }: CheckedRow,
): AsyncGenerator<DamagedRecord> {
  const owner = await findOwner(db, kind, key);
  if (owner === null) return;
  const { itemKey, ...place } = owner;
  const [item] = await findItemBytes(db, { after: itemKey - 1, limit: 1 });
  const content = new Uint8Array(item!.content);
  // The name in the row may be what is damaged.
  const body = db.parse<{ externalId?: string }>(new TextDecoder().decode(content));
  yield {
    ...{ kind: kind === 'vector' ? 'vector' : 'item', key: itemKey, ...place },
    ...{ record: body?.externalId ?? item!.externalId, reason: REASONS[kind], content },
    row: { kind, key, text },
  };
}
