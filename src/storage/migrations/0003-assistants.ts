/**
 * What assistants need: how a shop makes its links, by which names a model may call an offering, and
 * sessions with the events of their streams.
 */
export const assistants = `
ALTER TABLE shops ADD COLUMN storefront TEXT NOT NULL DEFAULT 'other' CHECK (storefront IN ('shopify', 'woo', 'other'));
ALTER TABLE shops ADD COLUMN further_domains TEXT NOT NULL DEFAULT '[]';
ALTER TABLE shops ADD COLUMN booking_url_template TEXT;
ALTER TABLE shops ADD COLUMN checkout_url_template TEXT;
ALTER TABLE shops ADD COLUMN ucp_endpoint TEXT;

-- Every name that an item's version answers to besides its id. What is a variant's names that too.
-- kind: 1 external id, 2 variant id, 3 SKU, 4 slug, 5 public URL; of several items the lowest wins.
CREATE TABLE item_references (
  organization_key INTEGER NOT NULL,
  reference TEXT NOT NULL COLLATE NOCASE,
  kind INTEGER NOT NULL,
  item_key INTEGER NOT NULL,
  variant_id TEXT NOT NULL,
  PRIMARY KEY (organization_key, reference, kind, item_key, variant_id)
) WITHOUT ROWID;
CREATE INDEX item_references_of_item ON item_references (item_key);

CREATE VIEW references_of_items AS
  SELECT organization_key, external_id AS reference, 1 AS kind, key AS item_key, '' AS variant_id
    FROM items WHERE type = 'product'
  UNION ALL
  SELECT i.organization_key, v.value->>'id', 2, i.key, v.value->>'id'
    FROM items i, json_each(i.body, '$.variants') v WHERE i.type = 'product'
  UNION ALL
  SELECT organization_key, body->>'sku', 3, key, '' FROM items WHERE type = 'product'
  UNION ALL
  SELECT i.organization_key, v.value->>'sku', 3, i.key, v.value->>'id'
    FROM items i, json_each(i.body, '$.variants') v WHERE i.type = 'product'
  UNION ALL
  SELECT organization_key, slug, 4, key, '' FROM items WHERE type = 'product'
  UNION ALL
  SELECT organization_key, rtrim(body->>'publicUrl', '/'), 5, key, '' FROM items WHERE type = 'product';

INSERT OR IGNORE INTO item_references SELECT * FROM references_of_items WHERE reference IS NOT NULL;

-- Kept by the database itself: an import knows nothing of it.
CREATE TRIGGER item_references_follow_insert AFTER INSERT ON items WHEN new.type = 'product'
BEGIN
  INSERT OR IGNORE INTO item_references
    SELECT * FROM references_of_items WHERE item_key = new.key AND reference IS NOT NULL;
END;
CREATE TRIGGER item_references_follow_delete AFTER DELETE ON items WHEN old.type = 'product'
BEGIN
  DELETE FROM item_references WHERE item_key = old.key;
END;

-- Counts what can be ordered without reading a body.
CREATE INDEX items_by_availability ON items
  (shop_key, body->>'$.availability', first_generation, last_generation) WHERE type = 'product';

CREATE INDEX items_of_organization ON items (organization_key);

CREATE TABLE mcp_sessions (
  id TEXT PRIMARY KEY,
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  api_key_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- Number of the last event that went out on its stream.
  last_event INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX mcp_sessions_by_use ON mcp_sessions (organization_key, seen_at);
CREATE INDEX mcp_sessions_idle ON mcp_sessions (seen_at);

-- The latest events of a session, for a client that comes back for what it missed.
CREATE TABLE mcp_events (
  session_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, number)
) WITHOUT ROWID;
CREATE INDEX mcp_events_by_age ON mcp_events (created_at);
`;
