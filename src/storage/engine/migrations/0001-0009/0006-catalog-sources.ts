/** Addresses that catalogues come from. `every_ms` is null for those that are asked by hand only. */
export const catalogSources = `
CREATE TABLE catalog_sources (
  key INTEGER PRIMARY KEY,
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  url TEXT NOT NULL,
  hints TEXT NOT NULL,
  allow_private INTEGER NOT NULL CHECK (allow_private IN (0, 1)),
  every_ms INTEGER CHECK (every_ms > 0),
  next_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  etag TEXT,
  last_modified TEXT,
  last_at INTEGER,
  last_result TEXT,
  UNIQUE (shop_key, url),
  CHECK ((every_ms IS NULL) = (next_at IS NULL))
);
CREATE INDEX catalog_sources_by_next ON catalog_sources (next_at) WHERE next_at IS NOT NULL;
`;
