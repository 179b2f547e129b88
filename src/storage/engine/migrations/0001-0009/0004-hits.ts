/** Days are UTC, `2026-01-31`. */
export const hits = `
-- What visitors did, as clients report it and as the service sees it. Keys grow and are never used
-- again, so that roll-ups and followers know by a key what they have seen. The body is JSON, because
-- a column for each field makes an insert twice as dear; the others are read out of it.
CREATE TABLE hits (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  created_at INTEGER NOT NULL,
  client_ip TEXT,
  body TEXT NOT NULL,
  source TEXT AS (body ->> 'source') VIRTUAL,
  day TEXT AS (body ->> 'day') VIRTUAL,
  classification TEXT AS (body ->> 'classification') VIRTUAL,
  agent_kind TEXT AS (body ->> 'agentKind') VIRTUAL,
  agent TEXT AS (body ->> 'agent') VIRTUAL,
  is_verified INTEGER AS (body ->> 'isVerified') VIRTUAL,
  page TEXT AS (body ->> 'page') VIRTUAL,
  question TEXT AS (body ->> 'question') VIRTUAL,
  result_count INTEGER AS (body ->> 'resultCount') VIRTUAL,
  latency_ms REAL AS (body ->> 'latencyMs') VIRTUAL
);
CREATE INDEX hits_by_age ON hits (created_at);
CREATE INDEX hits_with_full_address ON hits (created_at)
  WHERE client_ip IS NOT NULL AND instr(client_ip, '/') = 0;

-- Answers to requests that named an Idempotency-Key. The answer itself follows from the same body
-- and these ids.
CREATE TABLE hit_requests (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  idempotency_key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ids TEXT NOT NULL,
  PRIMARY KEY (organization_key, idempotency_key)
) WITHOUT ROWID;
CREATE INDEX hit_requests_by_age ON hit_requests (created_at);

-- Roll-ups: the hits up to the key in meta 'hits_rolled_up_to', counted by day.
CREATE TABLE hit_days (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  classification TEXT NOT NULL,
  agent_kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (organization_key, day, source, classification, agent_kind, agent, is_verified)
) WITHOUT ROWID;
CREATE INDEX hit_days_by_day ON hit_days (day);
CREATE INDEX hit_days_empty ON hit_days (hits) WHERE hits <= 0;

-- The same by a value: a question, a page, or the upper bound of a class of latencies.
CREATE TABLE hit_day_values (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  day TEXT NOT NULL,
  dimension TEXT NOT NULL CHECK (dimension IN ('question', 'page', 'latency')),
  value TEXT NOT NULL,
  hits INTEGER NOT NULL,
  from_assistants INTEGER NOT NULL,
  unanswered INTEGER NOT NULL,
  PRIMARY KEY (organization_key, day, dimension, value)
) WITHOUT ROWID;
CREATE INDEX hit_day_values_by_day ON hit_day_values (day);
CREATE INDEX hit_day_values_empty ON hit_day_values (hits) WHERE hits <= 0;
`;
