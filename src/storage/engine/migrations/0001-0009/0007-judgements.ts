/** What an operator thought of an answer: one grade for each question and item of an organization. */
export const judgements = `
CREATE TABLE judgements (
  organization_key INTEGER NOT NULL REFERENCES organizations (key),
  question TEXT NOT NULL,
  external_id TEXT NOT NULL,
  grade INTEGER NOT NULL CHECK (grade BETWEEN 0 AND 3),
  judged_at INTEGER NOT NULL,
  PRIMARY KEY (organization_key, question, external_id)
) WITHOUT ROWID;
`;
