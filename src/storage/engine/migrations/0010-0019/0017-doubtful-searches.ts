/** Searches whose results were doubtful. Hits from before do not say it. */
export const doubtfulSearches = `
DROP VIEW hit_facts;
CREATE VIEW hit_facts AS
  SELECT key, organization_key, created_at, client_ip,
    body ->> 'source' AS source, coalesce(body ->> 'access', 'key') AS access,
    body ->> 'day' AS day, body ->> 'classification' AS classification,
    body ->> 'agentKind' AS agent_kind, body ->> 'agent' AS agent,
    body ->> 'isVerified' AS is_verified, body ->> 'page' AS page,
    body ->> 'question' AS question, body ->> 'resultCount' AS result_count,
    body ->> 'isDoubtful' AS is_doubtful, body ->> 'latencyMs' AS latency_ms
  FROM hits;
`;
