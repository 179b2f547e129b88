const VALUES = {
  question: 'question',
  page: 'page',
  latency: `CASE WHEN latency_ms IS NULL THEN NULL ${[
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
  ]
    .map((bound) => `WHEN latency_ms <= ${bound} THEN '${bound}'`)
    .join(' ')} ELSE 'more' END`,
};

/** Questions, pages and latencies by kind of agent and by access; searches that led to a choice. */
export const questionReports = `
-- A primary key cannot be changed in place.
CREATE TABLE hit_day_values_by_caller (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  day TEXT NOT NULL,
  dimension TEXT NOT NULL CHECK (dimension IN ('question', 'page', 'latency')),
  value TEXT NOT NULL,
  agent_kind TEXT NOT NULL,
  access TEXT NOT NULL,
  hits INTEGER NOT NULL,
  unanswered INTEGER NOT NULL,
  PRIMARY KEY (organization_key, day, dimension, value, agent_kind, access)
) WITHOUT ROWID;
INSERT INTO hit_day_values_by_caller
  WITH counted AS MATERIALIZED (
    SELECT organization_key, day, agent_kind, access,
      result_count IS 0 OR is_doubtful IS 1 AS is_unanswered,
      ${Object.entries(VALUES)
        .map(([dimension, value]) => `${value} AS ${dimension}`)
        .join(', ')}
    FROM hit_facts
    WHERE key <= coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'hits_rolled_up_to'), 0))
  ${Object.keys(VALUES)
    .map(
      (dimension) => `
  SELECT organization_key, day, '${dimension}', ${dimension}, agent_kind, access, count(*), sum(is_unanswered)
  FROM counted WHERE ${dimension} IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`,
    )
    .join(' UNION ALL ')};

-- Of hits that are no longer kept, the counts only tell those of assistants ('ai_') from others ('').
CREATE TABLE expired_hits AS
  SELECT o.organization_key, o.day, o.dimension, o.value,
    o.from_assistants - coalesce(sum(n.hits) FILTER (WHERE n.agent_kind LIKE 'ai!_%' ESCAPE '!'), 0) AS of_assistants,
    o.hits - coalesce(sum(n.hits), 0) AS hits,
    o.unanswered - coalesce(sum(n.unanswered), 0) AS unanswered
  FROM hit_day_values o
  LEFT JOIN hit_day_values_by_caller n USING (organization_key, day, dimension, value)
  GROUP BY 1, 2, 3, 4;
INSERT INTO hit_day_values_by_caller
  SELECT organization_key, day, dimension, value, 'ai_', '', of_assistants, min(unanswered, of_assistants)
  FROM expired_hits WHERE of_assistants > 0
  UNION ALL
  SELECT organization_key, day, dimension, value, '', '', hits - of_assistants,
    unanswered - min(unanswered, of_assistants)
  FROM expired_hits WHERE hits > of_assistants;
DROP TABLE expired_hits;
DROP TABLE hit_day_values;
ALTER TABLE hit_day_values_by_caller RENAME TO hit_day_values;
CREATE INDEX hit_day_values_by_day ON hit_day_values (day);
CREATE INDEX hit_day_values_empty ON hit_day_values (hits) WHERE hits <= 0;

-- Searches after which their visitor chose one of the offerings. Keys of hits are never used again, so
-- a row outlives its hits. The day and the agent are those of the search.
CREATE TABLE chosen_searches (
  search_hit_key INTEGER PRIMARY KEY,
  choice_hit_key INTEGER NOT NULL,
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  day TEXT NOT NULL,
  question TEXT NOT NULL,
  agent_kind TEXT NOT NULL,
  access TEXT NOT NULL,
  is_purchase INTEGER NOT NULL
);
CREATE INDEX chosen_searches_by_organization ON chosen_searches (organization_key, day);
CREATE INDEX chosen_searches_by_day ON chosen_searches (day);
CREATE INDEX chosen_searches_by_choice ON chosen_searches (choice_hit_key);

-- Questions that the owner does not want to see among those without a good answer.
CREATE TABLE ignored_questions (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  question TEXT NOT NULL,
  PRIMARY KEY (organization_key, question)
) WITHOUT ROWID;
`;
