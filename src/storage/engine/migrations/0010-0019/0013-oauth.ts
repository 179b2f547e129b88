/** Assistants that somebody signed in: what each was granted, and the refresh tokens it has used up. */
export const oauth = `
-- A row begins as an authorization code. When the code is redeemed, the row gets tokens, and each
-- refresh replaces both. Hashes are SHA-256 in base64url.
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  -- The key that granted it; null if it was a link of the operator's.
  api_key_id TEXT REFERENCES api_keys (id),
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  -- The path that the tokens are for.
  resource TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  code_challenge TEXT NOT NULL,
  -- Null until the code is redeemed.
  access_hash TEXT,
  access_expires_at INTEGER,
  refresh_hash TEXT,
  created_at INTEGER NOT NULL,
  -- Of the code, then of the refresh token.
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  last_used_at INTEGER
) WITHOUT ROWID;

-- Presenting one of these again revokes its grant.
CREATE TABLE oauth_spent_tokens (
  token_hash TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id),
  spent_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX oauth_spent_tokens_by_grant ON oauth_spent_tokens (grant_id, spent_at);

-- A grant without tokens is of no interest to other instances.
CREATE TRIGGER oauth_grants_are_followed_update
AFTER UPDATE OF access_hash, access_expires_at, expires_at, revoked_at ON oauth_grants
BEGIN UPDATE revisions SET revision = revision + 1 WHERE subject = 'directory'; END;
CREATE TRIGGER oauth_grants_are_followed_delete AFTER DELETE ON oauth_grants
WHEN old.access_hash IS NOT NULL
BEGIN UPDATE revisions SET revision = revision + 1 WHERE subject = 'directory'; END;
`;
