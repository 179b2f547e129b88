/** The analysis that made the words of a shop's documents; empty for those made before it was recorded. */
export const wordsAnalysis = `
ALTER TABLE shops ADD COLUMN words_analysis TEXT NOT NULL DEFAULT '';
`;
