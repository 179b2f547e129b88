import { createHash } from 'node:crypto';
import { GRADED_MAX } from '../../models/scorer.ts';
import { offeringTexts } from '../../search/index/documents.ts';
import { applyGrades } from '../../search/ranking/apply-grades.ts';
import type { RankedCandidate } from '../../search/ranking/rank.ts';
import { findItems, findPassages, type StoredItem } from '../../storage/catalog/items.ts';
import type { ScoringOutcome } from './score-candidates.ts';
import type { SearchServices } from './search-services.ts';

/** What a model gets to read of an item at most. */
const TEXT_MAX = 600;

export interface GradedRanking {
  readonly ranked: readonly RankedCandidate[];
  readonly lowConfidence: boolean;
  /** Null where no model is set up. */
  readonly state: ScoringOutcome['state'] | null;
}

/**
 * The ranking as the language model would have it, where one is set up and answers in time; else as
 * it came. It reorders and drops, and never brings anything in.
 */
export async function gradeCandidates(
  services: SearchServices,
  query: { organizationKey: number; question: string; ranked: readonly RankedCandidate[] },
): Promise<GradedRanking> {
  const { organizationKey, question, ranked } = query;
  const { scoring } = services;
  const unchanged = { ranked, lowConfidence: false };
  if (scoring === null || ranked.length === 0) return { ...unchanged, state: null };
  // What has the very code that was asked for stays first: there is nothing to judge about it.
  const pinned = ranked.filter(({ isExactCode }) => isExactCode);
  const open = ranked.filter(({ isExactCode }) => !isExactCode);
  const texts = await readTexts(services, organizationKey, open.slice(0, GRADED_MAX));
  // The organization is in the key: a copy of another's product must not share its verdicts.
  const asked = texts.map((text) => ({ key: `${organizationKey}:${hash(text)}`, text }));
  const outcome = await scoring.score(question, asked);
  if (outcome.state !== 'language_model') return { ...unchanged, state: outcome.state };
  const { candidates, lowConfidence } = applyGrades(open, outcome.grades);
  return {
    ranked: [...pinned, ...candidates],
    lowConfidence: lowConfidence && pinned.length === 0,
    state: outcome.state,
  };
}

/** One text for each candidate, in order, what identifies it first; empty for one that is gone. */
async function readTexts(
  { db }: SearchServices,
  organizationKey: number,
  candidates: readonly RankedCandidate[],
): Promise<string[]> {
  const items = await findItems(
    db,
    organizationKey,
    candidates.map(({ itemKey }) => itemKey),
  );
  const passages = await findPassages(
    db,
    candidates.map(({ documentKey }) => documentKey),
  );
  return candidates.map(({ itemKey, documentKey }) =>
    textOf(items.get(itemKey), passages.get(documentKey) ?? null),
  );
}

function textOf(stored: StoredItem | undefined, passage: string | null): string {
  if (stored === undefined) return '';
  const { item } = stored;
  if (item.type === 'context')
    return `${item.name}. ${passage ?? item.description}`.slice(0, TEXT_MAX);
  const { name, vendor, type, details, body } = offeringTexts(item);
  const parts = [name, vendor, type, details.slice(0, TEXT_MAX / 4), body];
  return parts
    .filter((part) => part !== '')
    .join('. ')
    .slice(0, TEXT_MAX);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
