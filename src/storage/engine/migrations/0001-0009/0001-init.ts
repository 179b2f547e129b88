/** Times are milliseconds since the epoch; `key` columns never leave the process. */
export const init = `
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE organizations (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  rate_per_minute INTEGER CHECK (rate_per_minute > 0),
  burst INTEGER CHECK (burst > 0),
  created_at INTEGER NOT NULL,
  CHECK ((rate_per_minute IS NULL) = (burst IS NULL))
);

CREATE TABLE shops (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  handle TEXT NOT NULL,
  name TEXT NOT NULL,
  domain TEXT,
  currency TEXT NOT NULL,
  locale TEXT NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0,
  UNIQUE (organization_key, handle)
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  name TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  rotated_at INTEGER,
  last_used_at INTEGER
) WITHOUT ROWID;

CREATE TABLE audit_log (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  organization_id TEXT,
  event TEXT NOT NULL,
  details TEXT NOT NULL
);
CREATE TRIGGER audit_log_is_append_only_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_is_append_only_delete BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  source TEXT NOT NULL,
  format TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'committed', 'failed')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  summary TEXT
) WITHOUT ROWID;
CREATE INDEX imports_of_shop ON imports (shop_key, started_at);

-- One row for each version of an offering or context. A searcher whose shop is at generation g sees
-- the versions with first_generation <= g and (last_generation IS NULL or >= g): an import writes
-- beside what is seen, and becomes visible by raising the shop's generation.
CREATE TABLE items (
  key INTEGER PRIMARY KEY,
  organization_key INTEGER NOT NULL,
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('product', 'context')),
  slug TEXT,
  format TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  body TEXT NOT NULL,
  first_generation INTEGER NOT NULL,
  last_generation INTEGER,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX items_by_id ON items (shop_key, id, first_generation);
CREATE INDEX items_by_slug ON items (shop_key, slug) WHERE slug IS NOT NULL;
CREATE INDEX items_staged ON items (shop_key, first_generation);
CREATE INDEX items_ended ON items (shop_key, last_generation) WHERE last_generation IS NOT NULL;

-- Every external id that ever meant an item: what came by another route keeps its first id.
CREATE TABLE item_identities (
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  external_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (shop_key, external_id)
) WITHOUT ROWID;

-- What is searched: an offering as a whole, a context passage by passage. The row's key is its rowid
-- in the organization's word index. The generations repeat the item's, so that a search reads one table.
CREATE TABLE documents (
  key INTEGER PRIMARY KEY,
  item_key INTEGER NOT NULL REFERENCES items (key),
  organization_key INTEGER NOT NULL,
  shop_key INTEGER NOT NULL,
  type TEXT NOT NULL,
  first_generation INTEGER NOT NULL,
  last_generation INTEGER,
  passage TEXT,
  text_hash TEXT NOT NULL,
  model_key INTEGER REFERENCES embedding_models (key),
  vector BLOB,
  CHECK ((model_key IS NULL) = (vector IS NULL))
);
CREATE INDEX documents_ended ON documents (shop_key, last_generation) WHERE last_generation IS NOT NULL;
CREATE INDEX documents_of_item ON documents (item_key);
CREATE INDEX documents_of_organization ON documents (organization_key);
CREATE INDEX documents_by_model ON documents (model_key) WHERE model_key IS NOT NULL;
CREATE INDEX documents_without_vector ON documents (key) WHERE vector IS NULL;

CREATE TABLE embedding_models (
  key INTEGER PRIMARY KEY,
  tag TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL CHECK (dimensions BETWEEN 1 AND 4096)
);
`;
