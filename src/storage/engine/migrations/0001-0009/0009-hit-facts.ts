const FACTS = {
  source: 'source',
  day: 'day',
  classification: 'classification',
  agent_kind: 'agentKind',
  agent: 'agent',
  is_verified: 'isVerified',
  page: 'page',
  question: 'question',
  result_count: 'resultCount',
  latency_ms: 'latencyMs',
};

/** What a hit's body says, read out of it where it is asked for. */
export const hitFacts = `
-- Generated columns are computed at every insert, though nothing keeps them: a third of what one costs.
${Object.keys(FACTS)
  .map((column) => `ALTER TABLE hits DROP COLUMN ${column};`)
  .join('\n')}
CREATE VIEW hit_facts AS
  SELECT key, organization_key, created_at, client_ip,
    ${Object.entries(FACTS)
      .map(([column, member]) => `body ->> '${member}' AS ${column}`)
      .join(', ')}
  FROM hits;
`;
