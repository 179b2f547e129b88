import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Drizzle's view of the tables that are read and written row by row. The migrations are the truth. */
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
  createdAt: integer('created_at').notNull(),
});

export const shops = sqliteTable('shops', {
  key: integer('key').primaryKey(),
  id: text('id').notNull(),
  organizationKey: integer('organization_key').notNull(),
  handle: text('handle').notNull(),
  name: text('name').notNull(),
  domain: text('domain'),
  currency: text('currency').notNull(),
  locale: text('locale').notNull(),
  generation: integer('generation').notNull().default(0),
  revision: integer('revision').notNull().default(0),
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
  state: text('state', { enum: ['running', 'committed', 'failed'] }).notNull(),
  startedAt: integer('started_at').notNull(),
  finishedAt: integer('finished_at'),
  summary: text('summary'),
});

export const items = sqliteTable('items', {
  key: integer('key').primaryKey(),
  organizationKey: integer('organization_key').notNull(),
  shopKey: integer('shop_key').notNull(),
  id: text('id').notNull(),
  externalId: text('external_id').notNull(),
  type: text('type', { enum: ['product', 'context'] }).notNull(),
  slug: text('slug'),
  format: text('format').notNull(),
  contentHash: text('content_hash').notNull(),
  body: text('body').notNull(),
  firstGeneration: integer('first_generation').notNull(),
  lastGeneration: integer('last_generation'),
  updatedAt: integer('updated_at').notNull(),
});

export const itemIdentities = sqliteTable(
  'item_identities',
  {
    shopKey: integer('shop_key').notNull(),
    externalId: text('external_id').notNull(),
    id: text('id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shopKey, table.externalId] })],
);

export const documents = sqliteTable('documents', {
  key: integer('key').primaryKey(),
  itemKey: integer('item_key').notNull(),
  organizationKey: integer('organization_key').notNull(),
  shopKey: integer('shop_key').notNull(),
  type: text('type', { enum: ['product', 'context'] }).notNull(),
  firstGeneration: integer('first_generation').notNull(),
  lastGeneration: integer('last_generation'),
  passage: text('passage'),
  textHash: text('text_hash').notNull(),
  modelKey: integer('model_key'),
  vector: blob('vector', { mode: 'buffer' }),
});

export const embeddingModels = sqliteTable('embedding_models', {
  key: integer('key').primaryKey(),
  tag: text('tag').notNull(),
  dimensions: integer('dimensions').notNull(),
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
