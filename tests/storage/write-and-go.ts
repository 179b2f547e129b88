import { openDatabase } from '../../src/storage/engine/database.ts';

/*
 * Opens the database that the argument names, writes pages and closes it. The connection is collected
 * before the process ends, which is when SQLite deletes the log of a database that nobody else has open.
 */
async function write(path: string): Promise<void> {
  const db = await openDatabase(path, { create: false });
  await db.write([
    { sql: 'CREATE TABLE IF NOT EXISTS written_elsewhere (text TEXT)', args: [] },
    ...Array.from({ length: 200 }, () => ({
      sql: 'INSERT INTO written_elsewhere VALUES (?)',
      args: ['x'.repeat(4000)],
    })),
  ]);
  await db.close();
}

await write(process.argv[2]!);
for (let turn = 0; turn < 2; turn++) {
  await Bun.sleep(1);
  Bun.gc(true);
}
