/** What programs push: single items, whole files, and the webhooks of shop systems. */
export const pushes = `
-- Counts the changes made in place, without a new generation: prices and availability.
ALTER TABLE shops ADD COLUMN pushes INTEGER NOT NULL DEFAULT 0;
-- The number of the shop's push that last changed the version in place; null if none did.
ALTER TABLE items ADD COLUMN pushed INTEGER;
CREATE INDEX items_pushed ON items (shop_key, pushed) WHERE pushed IS NOT NULL;

-- A CHECK cannot be changed in place. waiting: received, but not begun; checked: the end of a dry run;
-- interrupted: the process ended before the import did.
CREATE TABLE imports_with_states (
  id TEXT PRIMARY KEY,
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  source TEXT NOT NULL,
  format TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('waiting', 'running', 'committed', 'checked', 'failed', 'interrupted')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  summary TEXT,
  generation INTEGER,
  rolled_back_at INTEGER,
  mode TEXT NOT NULL DEFAULT 'upsert' CHECK (mode IN ('upsert', 'full')),
  dry_run INTEGER NOT NULL DEFAULT 0,
  -- Why it failed, for whoever started it.
  message TEXT
) WITHOUT ROWID;
INSERT INTO imports_with_states (id, shop_key, source, format, state, started_at, finished_at, summary,
    generation, rolled_back_at)
  SELECT id, shop_key, source, format, state, started_at, finished_at, summary, generation, rolled_back_at
  FROM imports;
DROP TABLE imports;
ALTER TABLE imports_with_states RENAME TO imports;
CREATE INDEX imports_of_shop ON imports (shop_key, started_at);
CREATE INDEX imports_unfinished ON imports (state) WHERE state IN ('waiting', 'running');

-- The errors file of an import, in parts of some kilobytes.
CREATE TABLE import_errors (
  import_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (import_id, part)
) WITHOUT ROWID;

-- Answers to requests with an Idempotency-Key that changed a catalogue.
CREATE TABLE catalog_requests (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  idempotency_key TEXT NOT NULL,
  -- SHA-256 of method, path and body, hex.
  request_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (organization_key, idempotency_key)
) WITHOUT ROWID;
CREATE INDEX catalog_requests_by_age ON catalog_requests (created_at);

-- The secret with which a shop system signs its webhooks.
CREATE TABLE webhook_secrets (
  shop_key INTEGER PRIMARY KEY REFERENCES shops (key),
  secret TEXT NOT NULL,
  set_at INTEGER NOT NULL
);
CREATE TRIGGER webhook_secrets_are_followed_insert AFTER INSERT ON webhook_secrets
BEGIN UPDATE revisions SET revision = revision + 1 WHERE subject = 'directory'; END;
CREATE TRIGGER webhook_secrets_are_followed_update AFTER UPDATE ON webhook_secrets
BEGIN UPDATE revisions SET revision = revision + 1 WHERE subject = 'directory'; END;
CREATE TRIGGER webhook_secrets_are_followed_delete AFTER DELETE ON webhook_secrets
BEGIN UPDATE revisions SET revision = revision + 1 WHERE subject = 'directory'; END;

-- Deliveries of webhooks, in the order of their arrival. The body is kept until it has been applied.
CREATE TABLE webhook_deliveries (
  key INTEGER PRIMARY KEY,
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  platform TEXT NOT NULL CHECK (platform IN ('shopify', 'woocommerce')),
  delivery_id TEXT NOT NULL,
  topic TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  body TEXT,
  outcome TEXT,
  UNIQUE (shop_key, delivery_id)
);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (key) WHERE body IS NOT NULL;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (received_at);

-- The newest state that a webhook brought of each product, so that an older one never replaces it.
CREATE TABLE webhook_states (
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  resource TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  is_deleted INTEGER NOT NULL,
  PRIMARY KEY (shop_key, resource)
) WITHOUT ROWID;

-- Which variant a stock item of the shop system is, and how many of it there are at each location.
CREATE TABLE stock_items (
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  stock_item TEXT NOT NULL,
  external_id TEXT NOT NULL,
  variant_id TEXT NOT NULL,
  -- Whether it is still sold when there is none of it.
  is_backordered INTEGER NOT NULL,
  PRIMARY KEY (shop_key, stock_item)
) WITHOUT ROWID;
CREATE TABLE stock_levels (
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  stock_item TEXT NOT NULL,
  location TEXT NOT NULL,
  -- Null: no longer stocked at this location.
  available INTEGER,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (shop_key, stock_item, location)
) WITHOUT ROWID;
`;
