/** Records that were found damaged, as they were stored, out of the way of everything else. */
export const quarantine = `
CREATE TABLE quarantine (
  key INTEGER PRIMARY KEY,
  found_at INTEGER NOT NULL,
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  kind TEXT NOT NULL CHECK (kind IN ('item', 'hit')),
  -- What an operator knows it by: an external id, or the key of a hit.
  record TEXT NOT NULL,
  reason TEXT NOT NULL,
  content BLOB NOT NULL
);
`;
