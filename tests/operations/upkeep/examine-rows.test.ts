import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import { examineRecords, findDamaged } from '../../../src/operations/upkeep/examine-records.ts';
import { CHECKED_COLUMNS, type RowKind } from '../../../src/storage/catalog/row-checksums.ts';
import { loadWanted } from '../../support/index-answers.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const TABLES = { item: 'items', document: 'documents', vector: 'documents' } as const;

let service: LocalService;
let examine: () => Promise<boolean>;

/** Starts a service whose catalogue has been examined. */
async function start(): Promise<void> {
  service = await startService();
  const offering = (externalId: string) => ({
    type: 'product',
    externalId,
    name: `A ${externalId}`,
  });
  await service.operator.importRows(['lamp', 'sofa', 'desk'].map(offering));
  await service.embedAll();
  await loadWanted(service.services);
  examine = examineRecords(service.services);
  await examine();
}

const run = (sql: string, args: (string | number | Uint8Array | null)[] = []) =>
  service.services.db.write([{ sql, args }]);

async function all<Row>(sql: string): Promise<Row[]> {
  return service.services.db.all<Row>({ sql, args: [] });
}

/** What a flipped bit does not heed. */
async function withoutGuards(): Promise<void> {
  for (const table of ['items', 'documents'])
    await run(`DROP TRIGGER IF EXISTS ${table}_lose_their_checksum_update`);
  for (const setting of ['ignore_check_constraints = ON', 'foreign_keys = OFF'])
    await all(`PRAGMA ${setting}`);
}

/** Flips a bit of the sofa's value, runs `task`, and flips it back. */
async function withFlipped(
  kind: RowKind,
  column: string,
  task: () => Promise<void>,
): Promise<void> {
  const [sofa] = await all<{ key: number }>("SELECT key FROM items WHERE external_id = 'sofa'");
  const where = `${TABLES[kind]} SET ${column} = ? WHERE ${kind === 'item' ? 'key' : 'item_key'} = ${sofa!.key}`;
  const [row] = await all<{ content: ArrayBuffer | null; kind: string }>(
    `SELECT CAST(${column} AS BLOB) AS content, typeof(${column}) AS kind FROM ${where.replace(/SET .* WHERE/, 'WHERE')}`,
  );
  const bytes = new Uint8Array(row!.content ?? new TextEncoder().encode('1'));
  const decoded = (from: Uint8Array) => {
    const text = new TextDecoder().decode(from);
    if (row!.kind === 'blob') return from;
    return row!.kind === 'integer' ? Number(text) : text;
  };
  const flipped = Uint8Array.from(bytes, (byte, at) => (at === 0 ? byte ^ 1 : byte));
  await run(`UPDATE ${where}`, [decoded(flipped)]);
  await task();
  await run(`UPDATE ${where}`, [row!.content === null ? null : decoded(bytes)]);
}

const DAMAGES = Object.entries(CHECKED_COLUMNS).flatMap(([kind, columns]) =>
  columns
    // Rows that point elsewhere, or are elsewhere, are told from the copies in their neighbours.
    .filter((column) => column !== 'key' && column !== 'item_key')
    .map((column) => [kind as RowKind, column] as const),
);

describe('every column', () => {
  beforeAll(start);
  afterAll(() => service.close());

  test.each(DAMAGES)('a flipped bit is found in a row of kind %s: %s', async (kind, column) => {
    await withoutGuards();
    await withFlipped(kind, column, async () => {
      const found: unknown[] = [];
      for await (const { record, organizationKey } of findDamaged(service.services))
        found.push([record, organizationKey]);
      expect(found).toEqual([['sofa', 1]]);
    });
  });

  test('every stored column of a catalogue is covered', async () => {
    const columnsOf = async (table: string) =>
      (
        await all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}') ORDER BY name`)
      ).map(({ name }) => name);
    const { item, document, vector } = CHECKED_COLUMNS;
    // The body has a digest of its own.
    expect(await columnsOf('items')).toEqual([...item, 'body'].toSorted());
    expect(await columnsOf('documents')).toEqual([...document, ...vector].toSorted());
  });
});

describe('a catalogue of its own', () => {
  beforeEach(start);
  afterEach(() => service.close());

  test('what the program changes is no damage, and gets a new checksum', async () => {
    const countChecksums = () =>
      all('SELECT kind, count(*) AS count FROM row_checksums GROUP BY kind');
    const each = ['document', 'item', 'vector'].map((kind) => ({ kind, count: 3 }));
    expect(await countChecksums()).toEqual(each);
    await run("UPDATE items SET updated_at = updated_at + 1 WHERE external_id = 'lamp'");
    await run('UPDATE documents SET model_key = NULL, vector = NULL');
    const look = () => {
      service.platform.advance(61_000);
      return examine();
    };
    await look();
    await service.embedAll();
    expect(await countChecksums()).toEqual([{ kind: 'item', count: 2 }]);
    // This look notices the last change; the next one finds that it is over.
    await look();
    await look();
    expect(await countChecksums()).toEqual(each);
    expect(await all('SELECT * FROM quarantine')).toEqual([]);
  });

  test('what was examined is not examined again before it changes', async () => {
    const countItems = () => all("SELECT count(*) AS count FROM row_checksums WHERE kind = 'item'");
    // An examination would make them again.
    await run("DELETE FROM row_checksums WHERE kind = 'item'");
    for (let looks = 0; looks < 3; looks++) {
      service.platform.advance(61_000);
      await examine();
    }
    expect(await countItems()).toEqual([{ count: 0 }]);
  });

  test('nothing is examined while a catalogue is loading', async () => {
    const { services } = service;
    const indexes = new IndexKeeper({ ...services, budgetBytes: 1 << 30, archive: null });
    const examineBeside = examineRecords({ ...services, indexes });
    const countItems = () => all("SELECT count(*) AS count FROM row_checksums WHERE kind = 'item'");
    await run("DELETE FROM row_checksums WHERE kind = 'item'");
    indexes.find(services.directory.organizations()[0]!.key);
    await examineBeside();
    expect(await countItems()).toEqual([{ count: 0 }]);
    await loadWanted({ indexes });
    await examineBeside();
    expect(await countItems()).toEqual([{ count: 3 }]);
  });

  test('an examination takes a tenth of the time, a fiftieth while requests come in, and a tenth if a damaged text was read', async () => {
    const { services, platform } = service;
    /** Of slices of a millisecond, how long each rests. */
    const restsBeside = async (requests: 'none' | 'some', damagedTexts = 0) => {
      let nowMs = 0;
      let notedCount = 0;
      const rests = new Set<number>();
      const timed = {
        monotonicMs: () => nowMs++,
        sleep: async (ms: number) => void rests.add(Math.round(ms)),
      };
      const examineSlowly = examineRecords({
        ...services,
        platform: { ...platform, ...timed },
        db: Object.assign(Object.create(services.db), { activity: { damagedTexts } }),
        ownTraffic: Object.create(services.ownTraffic, {
          notedCount: { get: () => (requests === 'some' ? ++notedCount : 0) },
        }),
      });
      await examineSlowly();
      return [...rests];
    };
    expect(await restsBeside('none')).toEqual([9]);
    expect(await restsBeside('some')).toEqual([49]);
    expect(await restsBeside('some', 1)).toEqual([9]);
  });

  test('a damaged embedding is removed, and the record it belongs to is named', async () => {
    await withoutGuards();
    const vectorOf =
      "FROM documents WHERE item_key = (SELECT key FROM items WHERE external_id = 'lamp')";
    await run(
      'UPDATE documents SET vector = zeroblob(length(vector)) WHERE key = (SELECT key ' +
        vectorOf +
        ')',
    );
    service.platform.advance(25 * 3_600_000);
    await examine();
    expect(await all(`SELECT vector ${vectorOf}`)).toEqual([{ vector: null }]);
    expect(service.logged()).toContain('its embedding is not what was stored');
    expect(service.logged()).toContain('"record":"lamp"');
  });

  test('an item with a damaged number is put into quarantine instead of being served', async () => {
    await withoutGuards();
    await run("UPDATE items SET updated_at = updated_at + 1 WHERE external_id = 'desk'");
    service.platform.advance(25 * 3_600_000);
    await examine();
    expect(await all('SELECT record, reason FROM quarantine')).toEqual([
      { record: 'desk', reason: 'a column of its row is not what was stored' },
    ]);
    const found = await service.fetch('/rest/search/v3/?q=desk');
    expect(await found.text()).not.toContain('A desk');
  });
});
