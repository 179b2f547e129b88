/** What an organization says of itself, and its landing page, which is a queue of rebuilding too. */
export const landing = `
ALTER TABLE organizations ADD COLUMN description TEXT;
ALTER TABLE organizations ADD COLUMN contact_email TEXT;
ALTER TABLE organizations ADD COLUMN contact_phone TEXT;
ALTER TABLE organizations ADD COLUMN address TEXT;
ALTER TABLE organizations ADD COLUMN opening_hours TEXT;

-- A page is to be rebuilt while stale_since is set. Whoever rebuilds it holds its lease; a lease that
-- ran out is nobody's. inputs names everything the page was made from: it is true while they are the same.
CREATE TABLE landing_pages (
  organization_key INTEGER PRIMARY KEY REFERENCES organizations (key),
  body TEXT,
  etag TEXT,
  inputs TEXT,
  introduction TEXT,
  introduction_of TEXT,
  built_at INTEGER,
  changed_at INTEGER,
  stale_since INTEGER,
  leased_until INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER,
  last_error TEXT,
  CHECK ((body IS NULL) = (etag IS NULL) AND (body IS NULL) = (built_at IS NULL)),
  CHECK ((introduction IS NULL) = (introduction_of IS NULL))
);
CREATE INDEX landing_pages_stale ON landing_pages (stale_since) WHERE stale_since IS NOT NULL;
`;
