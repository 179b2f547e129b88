/** Each version of the rules with which a shop's owner corrects its search. */
export const curation = `
CREATE TABLE curations (
  shop_key INTEGER NOT NULL REFERENCES shops (key),
  version INTEGER NOT NULL,
  rules TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (shop_key, version)
) WITHOUT ROWID;
ALTER TABLE shops ADD COLUMN curation_version INTEGER NOT NULL DEFAULT 0;
`;
