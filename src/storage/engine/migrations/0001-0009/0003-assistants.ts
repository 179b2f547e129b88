/** The rows of `item_references` that an item makes: `item` is its name in SQL, `from` where it is read. */
function referencesOf(item: string, from?: string): string {
  const names = [
    `${item}.external_id, 1`,
    `${item}.body->>'sku', 3`,
    `${item}.slug, 4`,
    `rtrim(${item}.body->>'publicUrl', '/'), 5`,
  ];
  const ofVariants = ["value->>'id', 2", "value->>'sku', 3"];
  const variants = `json_each(${item}.body, '$.variants')`;
  const tables = from === undefined ? variants : `${from}, ${variants}`;
  const selects = [
    ...names.map((name) => selectOf(item, name, "''", from === undefined ? '' : `FROM ${from}`)),
    ...ofVariants.map((name) => selectOf(item, name, "value->>'id'", `FROM ${tables}`)),
  ];
  return `SELECT * FROM (${selects.join(' UNION ALL ')}) WHERE reference IS NOT NULL`;
}

function selectOf(item: string, name: string, variant: string, from: string): string {
  const [reference, kind] = name.split(/, (?=\d$)/);
  return `SELECT ${item}.organization_key AS organization_key, ${reference} AS reference, ${kind} AS kind,
    ${item}.key AS item_key, ${variant} AS variant_id ${from}`;
}

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

INSERT OR IGNORE INTO item_references ${referencesOf('i', 'items i')};

-- Kept by the database itself: an import knows nothing of it. A version's body never changes, so what
-- was written with it can be told again when it goes.
CREATE TRIGGER item_references_follow_insert AFTER INSERT ON items WHEN new.type = 'product'
BEGIN
  INSERT OR IGNORE INTO item_references ${referencesOf('new')};
END;
CREATE TRIGGER item_references_follow_delete AFTER DELETE ON items WHEN old.type = 'product'
BEGIN
  DELETE FROM item_references
    WHERE organization_key = old.organization_key AND item_key = old.key
      AND reference IN (SELECT reference FROM (${referencesOf('old')}));
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
