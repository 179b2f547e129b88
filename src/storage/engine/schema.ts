import { blob, customType, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * A list of names as JSON, such as domains. Decoding never throws: organizations and shops are read at
 * every start, and one damaged row must not prevent it.
 */
const names = customType<{ data: readonly string[]; driverData: string }>({
  dataType: () => 'text',
  toDriver: (list) => JSON.stringify(list),
  fromDriver: (stored) => [...stored.matchAll(/"([^"\\]+)"/g)].map(([, name]) => name!),
});

/** Language, script, region and variants of a language tag (RFC 5646). */
const LANGUAGE_TAG =
  /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?![a-z\d])/i;

/** Decoding never throws, and gives a tag that `Intl` accepts. Whatever is damaged counts as English. */
const languageTag = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  fromDriver: (stored) => LANGUAGE_TAG.exec(stored)?.[0] ?? 'en',
});

/**
 * The tables that Drizzle's builders query. The migrations are authoritative; README.md has the
 * rule.
 */
export const meta = sqliteTable('meta', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

export const organizations = sqliteTable('organizations', {
  key: integer('key').primaryKey(),
  id: text('id').notNull(),
  slug: text('slug').notNull(),
  name: text('name').notNull(),
  ratePerMinute: integer('rate_per_minute'),
  burst: integer('burst'),
  publicAssistants: integer('public_assistants', { mode: 'boolean' }).notNull().default(false),
  publicRatePerMinute: integer('public_rate_per_minute').notNull().default(600),
  publicBurst: integer('public_burst').notNull().default(100),
  toolSets: names('tool_sets').notNull().default([]),
  createdAt: integer('created_at').notNull(),
  description: text('description'),
  contactEmail: text('contact_email'),
  contactPhone: text('contact_phone'),
  address: text('address'),
  openingHours: text('opening_hours'),
  vectorModelKey: integer('vector_model_key'),
});

export const shops = sqliteTable('shops', {
  key: integer('key').primaryKey(),
  id: text('id').notNull(),
  organizationKey: integer('organization_key').notNull(),
  handle: text('handle').notNull(),
  name: text('name').notNull(),
  domain: text('domain'),
  currency: text('currency').notNull(),
  locale: languageTag('locale').notNull(),
  generation: integer('generation').notNull().default(0),
  revision: integer('revision').notNull().default(0),
  storefront: text('storefront', { enum: ['shopify', 'woo', 'other'] }),
  furtherDomains: names('further_domains').notNull(),
  productUrlTemplate: text('product_url_template'),
  bookingUrlTemplate: text('booking_url_template'),
  checkoutUrlTemplate: text('checkout_url_template'),
  ucpEndpoint: text('ucp_endpoint'),
  previousGeneration: integer('previous_generation'),
  pushes: integer('pushes').notNull().default(0),
  curationVersion: integer('curation_version').notNull().default(0),
});

export const apiKeys = sqliteTable('api_keys', {
  id: text('id').primaryKey(),
  organizationKey: integer('organization_key').notNull(),
  name: text('name').notNull(),
  hash: blob('hash', { mode: 'buffer' }).notNull(),
  scopes: text('scopes').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  revokedAt: integer('revoked_at'),
  rotatedAt: integer('rotated_at'),
  lastUsedAt: integer('last_used_at'),
});

export const auditLog = sqliteTable('audit_log', {
  key: integer('key').primaryKey({ autoIncrement: true }),
  at: integer('at').notNull(),
  organizationId: text('organization_id'),
  event: text('event').notNull(),
  details: text('details').notNull(),
});

export const imports = sqliteTable('imports', {
  id: text('id').primaryKey(),
  shopKey: integer('shop_key').notNull(),
  source: text('source').notNull(),
  format: text('format').notNull(),
  state: text('state', {
    enum: ['waiting', 'running', 'committed', 'checked', 'failed', 'interrupted'],
  }).notNull(),
  startedAt: integer('started_at').notNull(),
  finishedAt: integer('finished_at'),
  summary: text('summary'),
  generation: integer('generation'),
  rolledBackAt: integer('rolled_back_at'),
  mode: text('mode', { enum: ['upsert', 'full'] })
    .notNull()
    .default('upsert'),
  dryRun: integer('dry_run', { mode: 'boolean' }).notNull().default(false),
  message: text('message'),
});

export const judgements = sqliteTable(
  'judgements',
  {
    organizationKey: integer('organization_key').notNull(),
    question: text('question').notNull(),
    externalId: text('external_id').notNull(),
    grade: integer('grade').notNull(),
    judgedAt: integer('judged_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationKey, table.question, table.externalId] })],
);

export const landingPages = sqliteTable('landing_pages', {
  organizationKey: integer('organization_key').primaryKey(),
  body: text('body'),
  etag: text('etag'),
  inputs: text('inputs'),
  introduction: text('introduction'),
  introductionOf: text('introduction_of'),
  builtAt: integer('built_at'),
  changedAt: integer('changed_at'),
  staleSince: integer('stale_since'),
  leasedUntil: integer('leased_until'),
  attempts: integer('attempts').notNull().default(0),
  retryAt: integer('retry_at'),
  lastError: text('last_error'),
});

export const hits = sqliteTable('hits', {
  key: integer('key').primaryKey({ autoIncrement: true }),
  organizationKey: integer('organization_key').notNull(),
  createdAt: integer('created_at').notNull(),
  clientIp: text('client_ip'),
  body: text('body').notNull(),
});

export const hitRequests = sqliteTable(
  'hit_requests',
  {
    organizationKey: integer('organization_key').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    bodyHash: text('body_hash').notNull(),
    createdAt: integer('created_at').notNull(),
    ids: text('ids').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationKey, table.idempotencyKey] })],
);

export const catalogRequests = sqliteTable(
  'catalog_requests',
  {
    organizationKey: integer('organization_key').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    requestHash: text('request_hash').notNull(),
    createdAt: integer('created_at').notNull(),
    status: integer('status').notNull(),
    answer: text('answer').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationKey, table.idempotencyKey] })],
);

export const catalogSources = sqliteTable('catalog_sources', {
  key: integer('key').primaryKey(),
  shopKey: integer('shop_key').notNull(),
  url: text('url').notNull(),
  hints: text('hints').notNull(),
  allowPrivate: integer('allow_private').notNull(),
  everyMs: integer('every_ms'),
  nextAt: integer('next_at'),
  failures: integer('failures').notNull().default(0),
  etag: text('etag'),
  lastModified: text('last_modified'),
  lastAt: integer('last_at'),
  lastResult: text('last_result'),
});

export const quarantine = sqliteTable('quarantine', {
  key: integer('key').primaryKey(),
  foundAt: integer('found_at').notNull(),
  organizationKey: integer('organization_key').notNull(),
  kind: text('kind', { enum: ['item', 'hit'] }).notNull(),
  record: text('record').notNull(),
  reason: text('reason').notNull(),
  content: blob('content', { mode: 'buffer' }).notNull(),
});
