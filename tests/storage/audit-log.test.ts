import { expect, test } from 'bun:test';
import { findAuditEntries, insertAuditEntry } from '../../src/storage/audit-log.ts';
import { openFresh } from './open.ts';

const ORGANIZATION = '0190a000-0000-7000-8000-000000000001';
const entry = (event: string, organizationId: string | null = ORGANIZATION) => ({
  at: 1,
  organizationId,
  event,
  details: { n: 1 },
});

test('nothing in the audit log can be changed or removed', async () => {
  const db = await openFresh();
  await db.write([insertAuditEntry(db, entry('key.created'))]);
  for (const sql of [
    "UPDATE audit_log SET event = 'other'",
    'DELETE FROM audit_log',
    "INSERT OR REPLACE INTO audit_log (key, at, event, details) VALUES (1, 2, 'other', '{}')",
  ]) {
    await expect(db.write([{ sql, args: [] }])).rejects.toThrow(/append-only/);
  }
  expect(await findAuditEntries(db, ORGANIZATION, 10)).toEqual([entry('key.created')]);
  await db.close();
});

test('an entry with damaged details is shown with them as stored, and hides no other', async () => {
  const db = await openFresh();
  const damaged =
    "INSERT INTO audit_log (at, event, details) VALUES (1, 'key.created', '{\"n#:1}')";
  await db.write([
    insertAuditEntry(db, entry('key.created')),
    { sql: damaged, args: [] },
    insertAuditEntry(db, entry('key.revoked')),
  ]);
  const entries = await findAuditEntries(db, ORGANIZATION, 10);
  expect(entries.map(({ details }) => details)).toEqual([
    { n: 1 },
    { damaged: '{"n#:1}' },
    { n: 1 },
  ]);
  await db.close();
});

test('the latest entries of one organization and of the service as a whole, newest first, and no other’s', async () => {
  const db = await openFresh();
  await db.write(
    ['a', 'b', 'c'].flatMap((event) => [
      insertAuditEntry(db, entry(event)),
      insertAuditEntry(db, entry(event, 'another')),
    ]),
  );
  await db.write([insertAuditEntry(db, entry('backup', null))]);
  const entries = await findAuditEntries(db, ORGANIZATION, 3);
  expect(entries.map(({ event }) => event)).toEqual(['backup', 'c', 'b']);
  await db.close();
});
