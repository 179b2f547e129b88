import { expect, test } from 'bun:test';
import { dayOf } from '../../../src/domain/hit.ts';
import type { HitReport } from '../../../src/operations/hits/report-hits.ts';
import { sumValues } from '../../../src/operations/hits/report-questions.ts';
import { startService } from '../../support/start-service.ts';

const QUESTIONS = 10_000;

test('a report of a day with more counts than one query reads is exact, and bounds the values it tells apart', async () => {
  const service = await startService();
  const { db, platform, directory } = service.services;
  const day = dayOf(platform.now());
  const { key } = directory.organizations()[0]!;
  await db.write([
    {
      sql: `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${QUESTIONS})
            INSERT INTO hit_day_values
            SELECT ?, ?, 'question', 'question ' || at, kind.value, 'key', at % 97 + 1, at % 3
            FROM n, json_each('["human","ai_retrieval","tool"]') kind`,
      args: [key, day],
    },
    // Only days with hits are read.
    {
      sql: `INSERT INTO hit_days VALUES (?, ?, 'client', 'key', 'search', 'human', 'a', 0, 1)`,
      args: [key, day],
    },
  ]);
  const of = (sum: (at: number) => number) =>
    Array.from({ length: QUESTIONS }, (_, index) => sum(index + 1)).reduce((a, b) => a + b, 0);
  const { questions, unanswered, asked } = await service.perform<HitReport>('hits.report', {
    limit: 150,
  });
  const hits = of((at) => (at % 97) + 1);
  expect(asked).toMatchObject({ hits: 3 * hits, fromAssistants: hits, fromCustomers: 2 * hits });
  expect(asked.unanswered).toBe(3 * of((at) => at % 3));
  expect(questions).toHaveLength(150);
  // 103 questions were asked 97 times by each kind, and the next ones 96 times.
  expect(questions.map((row) => row.hits)).toEqual(
    Array.from({ length: 150 }, (_, place) => (place < 103 ? 3 * 97 : 3 * 96)),
  );
  expect(new Set(questions.map(({ question }) => question)).size).toBe(150);
  expect(unanswered.every((row) => row.unanswered === 6)).toBe(true);
  const filter = { organizationKey: key, days: [day], callers: { kinds: null, access: null } };
  const all = await sumValues(service.services, 'question', { ...filter, valuesMax: QUESTIONS });
  expect(all.byValue.size).toBe(QUESTIONS);
  const few = await sumValues(service.services, 'question', {
    ...filter,
    valuesMax: QUESTIONS - 1,
  });
  expect(few.byValue.size).toBeLessThan(QUESTIONS);
  expect(few.total).toEqual(all.total);
  await service.close();
});
