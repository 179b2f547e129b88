/**
 * The mean cosine that each embedding model gives to unrelated and to related texts; null until
 * measured.
 */
export const cosineScales = `
ALTER TABLE embedding_models ADD COLUMN unrelated_cosine REAL;
ALTER TABLE embedding_models ADD COLUMN related_cosine REAL;
`;
