import { expandTerms, isCorrectable, similarLengths, isSimilar, type TermGroup, termsToCount } from '../search/expand-terms.ts';
import type { Database } from '../storage/database.ts';
import { countAllDocuments, countDocuments, findTerms } from '../storage/word-index.ts';

/** Terms of the catalogue compared with one that it does not know: those of the same first letter, the most frequent first. */
const COMPARED_MAX = 5000;

/** A question's terms with what may stand for them in the organization's catalogue. */
export async function understandTerms(db: Database, organizationKey: number, terms: readonly string[]): Promise<TermGroup[]> {
  const counts = await countDocuments(db, organizationKey, termsToCount(terms));
  const spellings = new Map<string, string[]>();
  for (const term of terms) {
    if (counts.has(term) || !isCorrectable(term)) continue;
    const found = await findTerms(db, organizationKey, {
      prefix: term.charAt(0),
      ...similarLengths(term),
      limit: COMPARED_MAX,
    });
    const similar = found.filter((candidate) => isSimilar(term, candidate.term));
    for (const candidate of similar) counts.set(candidate.term, candidate.count);
    spellings.set(term, similar.map((candidate) => candidate.term));
  }
  return expandTerms(terms, {
    size: await countAllDocuments(db, organizationKey),
    count: (term) => counts.get(term) ?? 0,
    similar: (term) => spellings.get(term) ?? [],
  });
}
