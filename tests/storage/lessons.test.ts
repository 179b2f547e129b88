import { expect, test } from 'bun:test';
import { toHit } from '../../src/domain/hit.ts';
import { LESSONS, lessonOf } from '../../src/operations/learning/choices.ts';
import { findRecentHits, insertHitRows, insertHits, rowsAlike } from '../../src/storage/hits.ts';
import { findLessons } from '../../src/storage/learned-voices.ts';
import { startService } from '../support/start-service.ts';

const AGENTS = ['Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0', 'ChatGPT-User/1.0', 'GPTBot/1.2'];
const CLASSES = ['search', 'product_click', 'purchase', 'page_view', 'landing_view', 'made_up'];

function hitNumbered(index: number, organizationKey: number) {
  const question = index % 4 === 0 ? '?q=mug' : '';
  return toHit(
    {
      ...{ eventDate: '2026-01-01T00:00:00Z', classification: CLASSES[index % CLASSES.length]! },
      ...{ method: null, path: null, url: `https://shop.example/p${question}` },
      ...{ userAgent: AGENTS[index % AGENTS.length]!, clientIp: '203.0.113.7', botScore: null },
      ...{ verifiedBot: null, headers: null, cf: null },
    },
    {
      ...{ id: `h${index}`, organizationKey, source: 'client', access: 'key' },
      ...{ createdAt: 0, eventMs: 0 },
    },
  );
}

test('what the learner reads in slices of any size are all hits that teach something, and no others but damaged ones', async () => {
  const service = await startService();
  const { db, directory } = service.services;
  const { key } = directory.organizations()[0]!;
  const hits = Array.from({ length: 90 }, (_, index) => hitNumbered(index, key));
  // Every second one as the service stores its own.
  const own = (hit: (typeof hits)[number]) =>
    rowsAlike(hit)({ ...hit, clientIp: null, latencyMs: 1 });
  const statements = hits.flatMap((hit, index) =>
    index % 2 === 0 ? insertHitRows([own(hit)]) : insertHits([hit]),
  );
  await db.write(statements);
  await db.write([{ sql: `UPDATE hits SET body = '{' WHERE key = 5`, args: [] }]);
  // As an older version wrote it: another member comes first.
  const older = `json_patch('{"classification":""}', body)`;
  await db.write([{ sql: `UPDATE hits SET body = ${older} WHERE key = 8`, args: [] }]);
  const stored = await findRecentHits(db, key, { after: 0, limit: 100 });
  expect(stored).toHaveLength(89);
  // Stored without its nulls, and read with them.
  const { organizationKey: _key, clientIp: _ip, ...whole } = hits[7]!;
  expect(stored.find(({ id }) => id === 'h7')).toEqual({ ...whole, cursor: 8 });
  const teach = stored
    .filter(({ cursor, createdAt, ...hit }) =>
      lessonOf({ key: cursor, organizationKey: key, createdAt, clientIp: null, hit }),
    )
    .map(({ cursor }) => cursor);
  expect(teach.length).toBeGreaterThan(20);
  for (const slice of [
    { span: 1, limit: 1 },
    { span: 7, limit: 2 },
    { span: 30, limit: 30 },
    { span: 1000, limit: 3 },
    { span: 1000, limit: 1000 },
  ]) {
    const read: number[] = [];
    let [after, isOver] = [0, false];
    while (!isOver) {
      const found = await findLessons(db, LESSONS, { after, ...slice });
      read.push(...found.hits.map((hit) => hit.key));
      [after, isOver] = [found.last, !found.hasMore];
    }
    expect([read, after]).toEqual([teach, 90]);
  }
  await service.close();
});
