/**
 * The model whose vectors answer each organization, and the vectors of a former model that answer
 * while those of another one are being made.
 */
export const formerVectors = `
-- How to open the model again, as JSON; null if it was last used before this was recorded.
ALTER TABLE embedding_models ADD COLUMN source TEXT;

DROP INDEX documents_by_model;
CREATE INDEX documents_by_model ON documents (model_key, organization_key) WHERE model_key IS NOT NULL;

-- Null before an organization's first vector.
ALTER TABLE organizations ADD COLUMN vector_model_key INTEGER REFERENCES embedding_models (key);
UPDATE organizations SET vector_model_key = counted.model_key
  FROM (SELECT organization_key, model_key, max(count) FROM
          (SELECT organization_key, model_key, count(*) AS count FROM documents
           WHERE model_key IS NOT NULL GROUP BY model_key, organization_key)
        GROUP BY organization_key) counted
  WHERE counted.organization_key = organizations.key;

CREATE TABLE former_vectors (
  document_key INTEGER PRIMARY KEY,
  model_key INTEGER NOT NULL REFERENCES embedding_models (key),
  vector BLOB NOT NULL
);
CREATE INDEX former_vectors_by_model ON former_vectors (model_key);
CREATE TRIGGER documents_lose_their_former_vector AFTER DELETE ON documents
BEGIN DELETE FROM former_vectors WHERE document_key = old.key; END;
`;
