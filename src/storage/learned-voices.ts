import type { Database } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import { BODY_START, bodyStart, type HitBody, readBody } from './hits.ts';
import { pollMeta, saveMeta } from './meta.ts';

const LEARNED_TO = 'hits_learned_to';

/** The key of the last hit that was learned from; 0 before the first. */
export async function findLearnedTo(db: Database): Promise<number> {
  return Number((await pollMeta(db, LEARNED_TO)) ?? 0);
}

/**
 * The key after which hits have to be read again to know what was asked in the `spanMs` before the
 * hit `learnedTo`. At most `limit` hits lie between the two.
 */
export async function findReplayStart(
  db: Database,
  learnedTo: number,
  { spanMs, limit }: { spanMs: number; limit: number },
): Promise<number> {
  const [row] = await db.all<{ start: number }>({
    sql: `SELECT key AS start FROM hits
          WHERE created_at < (SELECT created_at FROM hits WHERE key = ?) - ?
          ORDER BY created_at DESC, key DESC LIMIT 1`,
    args: [learnedTo, spanMs],
  });
  return Math.min(learnedTo, Math.max(row?.start ?? 0, learnedTo - limit));
}

export async function countHitsAfter(db: Database, key: number): Promise<number> {
  const [row] = await db.all<{ count: number }>({
    sql: 'SELECT count(*) AS count FROM hits WHERE key > ?',
    args: [key],
  });
  return row!.count;
}

/** A stored hit with its key. */
export interface KeyedHit {
  readonly key: number;
  readonly hit: HitBody;
  readonly organizationKey: number;
  readonly createdAt: number;
  readonly clientIp: string | null;
}

/** Which hits to read: those of these kinds of agents that ask something or have one of these classes. */
export interface LessonFilter {
  readonly agentKinds: readonly string[];
  readonly classifications: readonly string[];
}

/**
 * The hits after a key that meet the filter, oldest first and at most `limit`, out of the next `span`
 * ones. `last`: the last hit that was looked at. `hasMore`: others may follow it. Damaged ones are left out.
 */
export async function findLessons(
  db: Database,
  { agentKinds, classifications }: LessonFilter,
  { after, span, limit }: { after: number; span: number; limit: number },
): Promise<{
  readonly hits: readonly KeyedHit[];
  readonly last: number;
  readonly hasMore: boolean;
}> {
  const [next] = await db.poll<{ last: number | null; count: number }>({
    sql: `SELECT max(key) AS last, count(*) AS count
          FROM (SELECT key FROM hits WHERE key > ? ORDER BY key LIMIT ?)`,
    args: [after, span],
  });
  const { last, count } = next!;
  if (last === null) return { hits: [], last: after, hasMore: false };
  // How a body begins tells most hits without a parse, which would take half as long as to insert one.
  const begins = agentKinds.map((kind) => `${bodyStart(kind)}*`);
  const rows = await db.all<Omit<KeyedHit, 'hit'> & { body: string }>({
    sql: `SELECT key, organization_key AS organizationKey, created_at AS createdAt,
            client_ip AS clientIp, body
          FROM hits WHERE key > ? AND key <= ?
          AND (${begins.map(() => 'body GLOB ? OR').join(' ')} body NOT GLOB '${BODY_START}*')
          AND CASE WHEN json_valid(body) THEN
            body ->> 'agentKind' IN (SELECT value FROM json_each(?))
            AND (body ->> 'question' IS NOT NULL
              OR body ->> 'classification' IN (SELECT value FROM json_each(?)))
          ELSE true END
          ORDER BY key LIMIT ?`,
    args: [
      ...[after, last, ...begins],
      ...[JSON.stringify(agentKinds), JSON.stringify(classifications), limit],
    ],
  });
  const hits = rows.flatMap(({ body, ...row }) => {
    const hit = readBody(db, body);
    return hit === null ? [] : [{ ...row, hit }];
  });
  return rows.length < limit
    ? { hits, last, hasMore: count === span }
    : { hits, last: rows.at(-1)!.key, hasMore: true };
}

/** What identifies a question and an item that was chosen for it, in one organization. */
export interface PairKey {
  readonly organizationKey: number;
  /** Empty: whatever was asked. */
  readonly questionKey: string;
  /** Empty: the question was asked. */
  readonly itemId: string;
}

/** What one client says about a pair, once however often it does. */
export interface Voice extends PairKey {
  readonly client: string;
  /** UTC, `2026-01-31`. */
  readonly day: string;
  readonly weight: number;
  readonly hitKey: number;
}

export interface LearnedQuestion {
  readonly organizationKey: number;
  readonly questionKey: string;
  readonly question: string;
}

/** How many choices each client has been heard with on a day. */
export async function countChoicesOfDay(
  db: Database,
  organizationKey: number,
  { client, day }: Pick<Voice, 'client' | 'day'>,
): Promise<number> {
  const [row] = await db.all<{ count: number }>({
    sql: `SELECT count(*) AS count FROM learned_voices
          WHERE organization_key = ? AND client = ? AND day = ? AND question_key <> '' AND item_id <> ''`,
    args: [organizationKey, client, day],
  });
  return row!.count;
}

/**
 * Adds voices, and remembers the last hit that was learned from. A client that has a voice for a pair
 * renews it.
 */
export function saveVoices(
  db: Database,
  voices: readonly Voice[],
  { questions, learnedTo }: { questions: readonly LearnedQuestion[]; learnedTo: number },
): Statement[] {
  const position = saveMeta(db, LEARNED_TO, String(learnedTo));
  if (voices.length === 0) return [position];
  const rows = voices.map(({ organizationKey, questionKey, itemId, client, day, ...rest }) => [
    ...[organizationKey, questionKey, itemId, client, day, rest.weight, rest.hitKey],
  ]);
  const said = [JSON.stringify(rows)];
  const asked = JSON.stringify(
    questions.map(({ organizationKey, questionKey, question }) => [
      ...[organizationKey, questionKey, question],
    ]),
  );
  return [
    {
      sql: `INSERT INTO learning (organization_key, revision)
            SELECT DISTINCT value ->> 0, 1 FROM json_each(?) WHERE true
            ON CONFLICT (organization_key) DO UPDATE SET revision = revision + 1`,
      args: said,
    },
    {
      sql: `INSERT INTO learned_voices
              (organization_key, question_key, item_id, client, day, weight, hit_key)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
            FROM json_each(?) WHERE true
            ON CONFLICT DO UPDATE SET day = max(day, excluded.day),
              weight = max(weight, excluded.weight), hit_key = max(hit_key, excluded.hit_key)`,
      args: said,
    },
    {
      sql: `INSERT INTO learned_questions (organization_key, question_key, question, revision)
            SELECT value ->> 0, value ->> 1, value ->> 2, l.revision
            FROM json_each(?) JOIN learning l ON l.organization_key = value ->> 0 WHERE true
            ON CONFLICT DO NOTHING`,
      args: [asked],
    },
    {
      sql: `INSERT INTO learned_pairs (organization_key, question_key, item_id, voices, weight, revision)
            SELECT v.organization_key, v.question_key, v.item_id, count(*), sum(v.weight), l.revision
            FROM (SELECT DISTINCT value ->> 0 AS organization_key, value ->> 1 AS question_key,
                    value ->> 2 AS item_id FROM json_each(?)) c
            CROSS JOIN learned_voices v ON v.organization_key = c.organization_key
              AND v.question_key = c.question_key AND v.item_id = c.item_id
            JOIN learning l ON l.organization_key = v.organization_key
            WHERE true GROUP BY 1, 2, 3
            ON CONFLICT DO UPDATE SET voices = excluded.voices, weight = excluded.weight,
              revision = excluded.revision`,
      args: said,
    },
    position,
  ];
}

/** Marks the pairs of a deletion until its last statement. No stored pair has this revision. */
const TOUCHED = -1;

/** The pairs that are marked, by the index over organizations and revisions. */
const IS_TOUCHED = `organization_key IN (SELECT organization_key FROM learning) AND revision = ${TOUCHED}`;

/**
 * Deletes the voices that meet a condition, counts the pairs again, by default those of the voices,
 * and makes every instance read anew what is left.
 */
function deleteVoices(
  { sql: where, args }: Statement,
  pairs = `SELECT organization_key, question_key, item_id FROM learned_voices WHERE ${where}`,
): Statement[] {
  return [
    {
      sql: `UPDATE learned_pairs SET revision = ${TOUCHED}
            WHERE (organization_key, question_key, item_id) IN (${pairs})`,
      args,
    },
    {
      sql: `UPDATE learning SET generation = generation + 1, revision = revision + 1
            WHERE organization_key IN (SELECT organization_key FROM learned_pairs WHERE ${IS_TOUCHED})`,
      args: [],
    },
    { sql: `DELETE FROM learned_voices WHERE ${where}`, args },
    {
      sql: `UPDATE learned_pairs SET (voices, weight) = (
              SELECT count(*), total(v.weight) FROM learned_voices v
              WHERE v.organization_key = learned_pairs.organization_key
                AND v.question_key = learned_pairs.question_key AND v.item_id = learned_pairs.item_id)
            WHERE ${IS_TOUCHED}`,
      args: [],
    },
    {
      sql: `DELETE FROM learned_questions WHERE (organization_key, question_key) IN
              (SELECT organization_key, question_key FROM learned_pairs WHERE ${IS_TOUCHED})
            AND NOT EXISTS (SELECT 1 FROM learned_pairs p
              WHERE p.organization_key = learned_questions.organization_key
                AND p.question_key = learned_questions.question_key AND p.item_id <> '' AND p.voices > 0)`,
      args: [],
    },
    { sql: `DELETE FROM learned_pairs WHERE ${IS_TOUCHED} AND voices = 0`, args: [] },
    {
      sql: `UPDATE learned_pairs SET revision = (SELECT l.revision FROM learning l
              WHERE l.organization_key = learned_pairs.organization_key) WHERE ${IS_TOUCHED}`,
      args: [],
    },
  ];
}

/** Deletes the voices that these hits gave. */
export function forgetHits(hitKeys: readonly number[]): Statement[] {
  const args = [JSON.stringify(hitKeys)];
  return deleteVoices({ sql: 'hit_key IN (SELECT value FROM json_each(?))', args });
}

/** Deletes all voices for these pairs. */
export function forgetPairs(pairs: readonly PairKey[]): Statement[] {
  const keys = pairs.map(({ organizationKey, questionKey, itemId }) => [
    ...[organizationKey, questionKey, itemId],
  ]);
  const named = 'SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)';
  const where = `(organization_key, question_key, item_id) IN (${named})`;
  return deleteVoices({ sql: where, args: [JSON.stringify(keys)] }, named);
}

/** Which voices to forget; null: of every organization, of every day. */
export interface ForgottenVoices {
  readonly organizationKey: number | null;
  /** Voices of days before this one. */
  readonly beforeDay: string | null;
}

/** Deletes at most `limit` voices. Returns how many it deleted. */
export async function forgetVoices(
  db: Database,
  { organizationKey, beforeDay }: ForgottenVoices,
  limit: number,
): Promise<number> {
  const conditions = [
    ...(organizationKey === null ? [] : ['organization_key = ?']),
    ...(beforeDay === null ? [] : ['day < ?']),
  ];
  const found = await db.all<Record<string, string | number>>({
    sql: `SELECT organization_key, question_key, item_id, client FROM learned_voices
          WHERE ${conditions.join(' AND ')} LIMIT ?`,
    args: [organizationKey, beforeDay, limit].filter((value) => value !== null),
  });
  if (found.length === 0) return 0;
  await db.write(
    deleteVoices({
      sql: `(organization_key, question_key, item_id, client) IN
            (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?))`,
      args: [JSON.stringify(found.map((row) => Object.values(row)))],
    }),
  );
  return found.length;
}

/**
 * Where an organization has more than `max` pairs of chosen items, or of questions that were asked,
 * the `limit` least useful ones: first questions for which nothing was chosen, then by weight.
 */
export async function findSurplusPairs(
  db: Database,
  organizationKey: number,
  { max, limit }: { max: number; limit: number },
): Promise<PairKey[]> {
  const surplus: PairKey[] = [];
  for (const isOf of ["item_id <> ''", "item_id = ''"]) {
    const [row] = await db.all<{ count: number }>({
      sql: `SELECT count(*) AS count FROM learned_pairs WHERE organization_key = ? AND ${isOf}`,
      args: [organizationKey],
    });
    if (row!.count <= max) continue;
    surplus.push(
      ...(await db.all<PairKey>({
        sql: `SELECT organization_key AS organizationKey, question_key AS questionKey, item_id AS itemId
              FROM learned_pairs p WHERE organization_key = ? AND ${isOf}
              ORDER BY (item_id <> '' OR EXISTS (SELECT 1 FROM learned_pairs c
                WHERE c.organization_key = p.organization_key AND c.question_key = p.question_key
                  AND c.item_id <> '')), weight, question_key, item_id LIMIT ?`,
        args: [organizationKey, limit],
      })),
    );
  }
  return surplus;
}
