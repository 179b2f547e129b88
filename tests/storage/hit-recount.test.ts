import { Database as File } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { APPLICATION_ID } from '../../src/storage/engine/application-mark.ts';
import { type Database, openDatabase } from '../../src/storage/engine/database.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { recountHits } from '../../src/storage/hit-recount.ts';
import { rollUpHits } from '../../src/storage/hit-rollups.ts';
import { addTallied, TalliedHits } from '../../src/storage/hit-tally.ts';
import { insertHits, lastKeyOf } from '../../src/storage/hits.ts';
import { type Counted, countedFromRows, countedInRollUps } from '../support/counted-hits.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The last schema whose counts do not tell the kinds of agents. */
const FORMER_SCHEMA = 23;

const KINDS = ['human', 'ai_retrieval', 'ai_training', 'tool'];
const HITS = 60;

/** Hits of which most were counted by a program of the former schema, and counts of expired hits besides. */
function formerDatabase(path: string): void {
  const file = new File(path);
  for (const { sql } of MIGRATIONS.slice(0, FORMER_SCHEMA)) file.exec(sql);
  file.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMER_SCHEMA};
    INSERT INTO organizations (key, id, slug, name, created_at) VALUES (1, 'o', 'o', '', 0)`);
  const insert = file.query(
    'INSERT INTO hits (organization_key, created_at, body) VALUES (1, 0, ?)',
  );
  for (let index = 0; index < HITS; index++) insert.run(JSON.stringify(bodyOf(index)));
  file.exec(`
    INSERT INTO meta (name, value) VALUES ('hits_rolled_up_to', '${HITS - 10}');
    INSERT INTO hit_days SELECT organization_key, day, source, access, classification, agent_kind, agent,
      is_verified, count(*) FROM hit_facts WHERE key <= ${HITS - 10} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
    INSERT INTO hit_day_values SELECT organization_key, day, 'question', question, count(*),
      sum(agent_kind LIKE 'ai%'), sum(result_count IS 0) FROM hit_facts
      WHERE key <= ${HITS - 10} AND question IS NOT NULL GROUP BY 1, 2, 3, 4;
    INSERT INTO hit_day_values SELECT organization_key, day, 'page', page, count(*),
      sum(agent_kind LIKE 'ai%'), sum(result_count IS 0) FROM hit_facts
      WHERE key <= ${HITS - 10} GROUP BY 1, 2, 3, 4;
    UPDATE hit_day_values SET hits = hits + 9, from_assistants = from_assistants + 4,
      unanswered = unanswered + 6 WHERE day = '2026-01-01' AND value = 'tea';
    INSERT INTO hit_day_values VALUES (1, '2025-01-01', 'question', 'gone', 3, 0, 0)`);
  file.close();
}

function bodyOf(index: number) {
  const day = `2026-01-0${1 + (index % 2)}`;
  return {
    ...{ source: 'client', access: index % 5 === 0 ? 'public' : 'key', day, agent: 'a' },
    ...{ classification: 'search', agentKind: KINDS[index % KINDS.length], isVerified: false },
    ...{ page: index % 3 === 0 ? '/a' : '/b', question: ['tea', 'mug', null][index % 3] ?? null },
    ...{ resultCount: index % 7 === 0 ? 0 : 3, isDoubtful: null, latencyMs: null },
  };
}

/** What was added of expired hits, by kinds that no hit has. */
const EXPIRED: Counted = {
  '1|2026-01-01|question|tea|ai_|': 4,
  '1|2026-01-01|question|tea|ai_||unanswered': 4,
  '1|2026-01-01|question|tea||': 5,
  '1|2026-01-01|question|tea|||unanswered': 2,
  '1|2025-01-01|question|gone||': 3,
};

/** A hit that comes in after the upgrade. */
async function addOne(db: Database): Promise<void> {
  const hit = { ...bodyOf(0), organizationKey: 1, createdAt: 0, clientIp: null };
  const one = hit as unknown as Parameters<typeof insertHits>[0][number];
  const [inserted] = await db.stage(insertHits([one]));
  const last = lastKeyOf(inserted!);
  const tallied = new TalliedHits(last - 1);
  tallied.add([{ hit: one, latenciesMs: [null] }], last);
  await addTallied(db, tallied);
}

test('an upgrade keeps every count, tells the agents of hits that are kept, and does not guess those of expired ones, wherever it is interrupted', async () => {
  const temporary = temporaryFolder();
  for (const slices of [0, 1, 3, 9, 12, Number.POSITIVE_INFINITY]) {
    const path = join(temporary.path, `${slices}.db`);
    formerDatabase(path);
    let db = await openDatabase(path, { create: false });
    for (let slice = 0; slice < slices && (await recountHits(db, 7)); slice++) await addOne(db);
    await db.close();
    db = await openDatabase(path, { create: false });
    // Two at once, as two instances would.
    for (let isOver = false; !isOver; )
      isOver = !(await Promise.all([recountHits(db, 7), recountHits(db, 7)])).includes(true);
    while ((await rollUpHits(db, 7)) > 0);
    expect(await countedInRollUps(db)).toEqual({ ...(await countedFromRows(db)), ...EXPIRED });
    const left = await db.all({
      sql: `SELECT name FROM meta WHERE name LIKE 'hits_recount%'
            UNION ALL SELECT value FROM former_hit_day_values`,
      args: [],
    });
    expect(left).toEqual([]);
    await db.close();
  }
  temporary.remove();
});
