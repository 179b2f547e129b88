import { eq } from 'drizzle-orm';
import type { Organization } from '../domain/organization.ts';
import type { Database } from './engine/database.ts';
import { organizations } from './engine/schema.ts';
import { type Statement, statement } from './engine/statement.ts';
import { findKeyRange } from './hits.ts';
import { deleteMeta, pollMetaOf, saveMeta } from './meta.ts';

/** The beginning of the names under which `meta` keeps the erasures that are not complete. */
const NAME = 'erasure:';

/** Rows removed in one transaction, of tables without triggers; each takes some 10 µs. */
const ROWS_AT_ONCE = 500;

/** Items and documents, whose triggers remove up to a dozen further rows. */
const VERSIONS_AT_ONCE = 32;

/** Row keys of hits that are looked at in one transaction. They have no index by organization. */
const HITS_AT_ONCE = 2000;

/** `?1` is the organization's row key. */
const OF_ORGANIZATION = 'organization_key = ?1';
const OF_SHOP = 'shop_key IN (SELECT key FROM shops WHERE organization_key = ?1)';
const OF_GRANT = 'grant_id IN (SELECT id FROM oauth_grants WHERE organization_key = ?1)';
const OF_SESSION = 'session_id IN (SELECT id FROM mcp_sessions WHERE organization_key = ?1)';
const OF_IMPORT = `import_id IN (SELECT id FROM imports WHERE ${OF_SHOP})`;

/** The rows of a table that belong to an organization, and the columns that identify a row. */
interface Owned {
  readonly table: string;
  readonly key: string;
  readonly where: string;
  readonly atOnce?: number;
}

/** What lets somebody in or makes a background task begin: it is gone with the organization's name. */
const AT_ONCE: readonly Owned[] = [
  { table: 'oauth_spent_tokens', key: 'token_hash', where: OF_GRANT },
  { table: 'oauth_grants', key: 'id', where: OF_ORGANIZATION },
  { table: 'api_keys', key: 'id', where: OF_ORGANIZATION },
  { table: 'catalog_sources', key: 'key', where: OF_SHOP },
  { table: 'webhook_secrets', key: 'shop_key', where: OF_SHOP },
  { table: 'landing_pages', key: 'organization_key', where: OF_ORGANIZATION },
];

/** Everything else, but for hits. A row comes before the row that it refers to. */
const IN_SLICES: readonly Owned[] = [
  { table: 'webhook_deliveries', key: 'key', where: OF_SHOP },
  { table: 'mcp_events', key: 'session_id, number', where: OF_SESSION },
  { table: 'mcp_sessions', key: 'id', where: OF_ORGANIZATION },
  { table: 'documents', key: 'key', where: OF_ORGANIZATION, atOnce: VERSIONS_AT_ONCE },
  { table: 'items', key: 'key', where: OF_ORGANIZATION, atOnce: VERSIONS_AT_ONCE },
  {
    table: 'item_references',
    key: 'organization_key, reference, kind, item_key, variant_id',
    where: OF_ORGANIZATION,
  },
  { table: 'item_ids', key: 'shop_key, id, first_generation', where: OF_SHOP },
  { table: 'item_identities', key: 'shop_key, external_id', where: OF_SHOP },
  { table: 'import_errors', key: 'import_id, part', where: OF_IMPORT },
  { table: 'imports', key: 'id', where: OF_SHOP },
  { table: 'curations', key: 'shop_key, version', where: OF_SHOP },
  { table: 'stock_items', key: 'shop_key, stock_item', where: OF_SHOP },
  { table: 'stock_levels', key: 'shop_key, stock_item, location', where: OF_SHOP },
  { table: 'webhook_states', key: 'shop_key, resource', where: OF_SHOP },
  {
    table: 'catalog_requests',
    key: 'organization_key, idempotency_key',
    where: OF_ORGANIZATION,
  },
  { table: 'hit_requests', key: 'organization_key, idempotency_key', where: OF_ORGANIZATION },
  { table: 'chosen_searches', key: 'search_hit_key', where: OF_ORGANIZATION },
  {
    table: 'learned_voices',
    key: 'organization_key, question_key, item_id, client',
    where: OF_ORGANIZATION,
  },
  {
    table: 'learned_pairs',
    key: 'organization_key, question_key, item_id',
    where: OF_ORGANIZATION,
  },
  { table: 'learned_questions', key: 'organization_key, question_key', where: OF_ORGANIZATION },
  { table: 'learning', key: 'organization_key', where: OF_ORGANIZATION },
  { table: 'ignored_questions', key: 'organization_key, question', where: OF_ORGANIZATION },
  {
    table: 'judgements',
    key: 'organization_key, question, external_id',
    where: OF_ORGANIZATION,
  },
  {
    table: 'hit_days',
    key: 'organization_key, day, source, access, classification, agent_kind, agent, is_verified',
    where: OF_ORGANIZATION,
  },
  {
    table: 'hit_day_values',
    key: 'organization_key, day, dimension, value, agent_kind, access',
    where: OF_ORGANIZATION,
  },
  {
    table: 'former_hit_day_values',
    key: 'organization_key, day, dimension, value',
    where: OF_ORGANIZATION,
  },
  { table: 'quarantine', key: 'key', where: OF_ORGANIZATION },
];

/** An organization that was deleted, and of which something may be left. */
export interface Erasure {
  readonly organizationKey: number;
  readonly deletedAt: number;
}

/** The deleted organizations that may have left something. For a background task; see `Database.poll`. */
export async function findErasures(db: Database): Promise<Erasure[]> {
  const rows = await pollMetaOf(db, NAME);
  return rows.map(({ name, value }) => ({
    organizationKey: Number(name.slice(NAME.length)),
    deletedAt: Number(value),
  }));
}

/**
 * Makes an organization one that is deleted, whose former slug is free, and notes that its rows are to be removed.
 * The rows of itself and its shops stay without what they said, so that their keys, which are also in memory, are
 * never used again.
 */
export function beginErasure(
  db: Database,
  { key, id }: Organization,
  deletedAt: number,
): Statement[] {
  const args = [key];
  const removals = AT_ONCE.map(({ table, where }) => ({
    sql: `DELETE FROM ${table} WHERE ${where}`,
    args,
  }));
  const emptied = {
    ...{ slug: id, name: '', publicAssistants: false, toolSets: [], vectorModelKey: null },
    ...{ description: null, contactEmail: null, contactPhone: null },
    ...{ address: null, openingHours: null },
  };
  const organization = statement(
    db.orm.update(organizations).set(emptied).where(eq(organizations.key, key)),
  );
  const shops = {
    sql: `UPDATE shops SET handle = id, name = '', domain = NULL, storefront = NULL,
            further_domains = '[]', product_url_template = NULL, booking_url_template = NULL,
            checkout_url_template = NULL, ucp_endpoint = NULL, curation_version = 0
          WHERE ${OF_ORGANIZATION}`,
    args,
  };
  const pending = saveMeta(db, NAME + key, String(deletedAt));
  return overwriting(db, [organization, shops, ...removals, pending]);
}

/** Notes that nothing is left. */
export function endErasure(db: Database, { organizationKey }: Erasure): Statement {
  return deleteMeta(db, NAME + organizationKey);
}

/**
 * Removes what belongs to a deleted organization, and yields after each transaction how many hits and how many
 * other rows it removed. Safe to kill, to repeat, and to run twice at once.
 */
export async function* eraseRows(
  db: Database,
  organizationKey: number,
): AsyncGenerator<{ readonly hits: number; readonly others: number }> {
  const { first, last } = await findKeyRange(db);
  const span = HITS_AT_ONCE * db.batchFactor;
  for (let after = first - 1; after < last; after += span)
    yield { hits: await remove(db, hitsOf(organizationKey, after, span)), others: 0 };
  for (const { table, key, where, atOnce = ROWS_AT_ONCE } of [...AT_ONCE, ...IN_SLICES]) {
    const limit = atOnce * db.batchFactor;
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ?2)`;
    for (let others = limit; others === limit; ) {
      others = await remove(db, { sql, args: [organizationKey, limit] });
      yield { hits: 0, others };
    }
  }
}

function hitsOf(organizationKey: number, after: number, span: number): Statement {
  return {
    sql: `DELETE FROM hits WHERE ${OF_ORGANIZATION} AND key > ?2 AND key <= ?3`,
    args: [organizationKey, after, after + span],
  };
}

async function remove(db: Database, removal: Statement): Promise<number> {
  const results = await db.stage(overwriting(db, [removal]));
  return results.reduce((sum, { rowsAffected }) => sum + rowsAffected, 0);
}

/** Makes SQLite write zeros over what the statements remove. A server decides that itself. */
function overwriting(db: Database, statements: readonly Statement[]): Statement[] {
  if (db.instance !== null) return [...statements];
  const set = (state: 'ON' | 'OFF') => ({ sql: `PRAGMA secure_delete = ${state}`, args: [] });
  return [set('ON'), ...statements, set('OFF')];
}
