/** Whether assistants may call an organization without a key, and which hits came that way. */
export const publicAssistants = `
ALTER TABLE organizations ADD COLUMN public_assistants INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organizations ADD COLUMN public_rate_per_minute INTEGER NOT NULL DEFAULT 600;
ALTER TABLE organizations ADD COLUMN public_burst INTEGER NOT NULL DEFAULT 100;

-- Hits from before have no access in their body: they came with a key.
DROP VIEW hit_facts;
CREATE VIEW hit_facts AS
  SELECT key, organization_key, created_at, client_ip,
    body ->> 'source' AS source, coalesce(body ->> 'access', 'key') AS access,
    body ->> 'day' AS day, body ->> 'classification' AS classification,
    body ->> 'agentKind' AS agent_kind, body ->> 'agent' AS agent,
    body ->> 'isVerified' AS is_verified, body ->> 'page' AS page,
    body ->> 'question' AS question, body ->> 'resultCount' AS result_count,
    body ->> 'latencyMs' AS latency_ms
  FROM hits;

-- A primary key cannot be changed in place.
CREATE TABLE hit_days_with_access (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  access TEXT NOT NULL,
  classification TEXT NOT NULL,
  agent_kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (organization_key, day, source, access, classification, agent_kind, agent, is_verified)
) WITHOUT ROWID;
INSERT INTO hit_days_with_access
  SELECT organization_key, day, source, 'key', classification, agent_kind, agent, is_verified, hits
  FROM hit_days;
DROP TABLE hit_days;
ALTER TABLE hit_days_with_access RENAME TO hit_days;
CREATE INDEX hit_days_by_day ON hit_days (day);
CREATE INDEX hit_days_empty ON hit_days (hits) WHERE hits <= 0;
`;
