/** What an organization's catalogue has learned from hits: which offerings were chosen for a question. */
export const learning = `
-- Instances keep what was learned in memory. The revision grows with everything added, the
-- generation with everything taken out.
CREATE TABLE learning (
  organization_key INTEGER PRIMARY KEY REFERENCES organizations (key),
  revision INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL DEFAULT 0
);

-- A client has one voice for each question and item, dated by the last hit that gave it. Without an
-- item: the client asked the question. Without a question: the client chose the item at all.
CREATE TABLE learned_voices (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  question_key TEXT NOT NULL,
  item_id TEXT NOT NULL,
  client TEXT NOT NULL,
  day TEXT NOT NULL,
  weight REAL NOT NULL,
  hit_key INTEGER NOT NULL,
  PRIMARY KEY (organization_key, question_key, item_id, client)
) WITHOUT ROWID;
CREATE INDEX learned_voices_by_client ON learned_voices (organization_key, client, day);
CREATE INDEX learned_voices_by_day ON learned_voices (day);
CREATE INDEX learned_voices_by_hit ON learned_voices (hit_key);

-- The voices of each question and item, counted.
CREATE TABLE learned_pairs (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  question_key TEXT NOT NULL,
  item_id TEXT NOT NULL,
  voices INTEGER NOT NULL,
  weight REAL NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (organization_key, question_key, item_id)
) WITHOUT ROWID;
CREATE INDEX learned_pairs_by_revision ON learned_pairs (organization_key, revision);

-- The questions for which something was chosen, as one of the clients asked them.
CREATE TABLE learned_questions (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  question_key TEXT NOT NULL,
  question TEXT NOT NULL,
  model_key INTEGER REFERENCES embedding_models (key),
  vector BLOB,
  revision INTEGER NOT NULL,
  PRIMARY KEY (organization_key, question_key)
) WITHOUT ROWID;
CREATE INDEX learned_questions_by_revision ON learned_questions (organization_key, revision);
CREATE INDEX learned_questions_by_model ON learned_questions (model_key);
`;
