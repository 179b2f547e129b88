/**
 * Searches are answered from memory alone. Each organization had a full-text index, `words_<key>`, and a view of
 * its terms, `words_<key>_terms`, which comes first here. What they leave free, later imports use.
 */
export const WORD_INDEXES = `
SELECT 'DROP TABLE IF EXISTS ' || name FROM sqlite_schema
WHERE name GLOB 'words_[0-9]*' AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name DESC
`;

export const memoryAlone = `
ALTER TABLE shops DROP COLUMN words_analysis;
`;
