/** Questions, pages and latencies by kind of agent and by access; searches that led to a choice. */
export const questionReports = `
-- A primary key cannot be changed in place. To count a million hits again takes half a minute, so that a
-- background task does it, in slices (hit-recount.ts). Until it has finished, this has the former counts.
DROP INDEX hit_day_values_by_day;
DROP INDEX hit_day_values_empty;
ALTER TABLE hit_day_values RENAME TO former_hit_day_values;
INSERT INTO meta (name, value)
  SELECT 'hits_recount_until',
    coalesce((SELECT value FROM meta WHERE name = 'hits_rolled_up_to'), '0')
  WHERE EXISTS (SELECT 1 FROM former_hit_day_values);
CREATE TABLE hit_day_values (
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
