import { createHash } from 'node:crypto';
import { GRADED_MAX } from '../../models/scorer.ts';
import { offeringTexts } from '../../search/index/documents.ts';
import { applyGrades } from '../../search/ranking/apply-grades.ts';
import { listed, type RankedCandidate, type RankedList } from '../../search/ranking/ranked-list.ts';
import type { Language } from '../../search/text/language.ts';
import { findItems, findPassages, type StoredItem } from '../../storage/catalog/items.ts';
import { shopLanguages } from '../indexes/shop-languages.ts';
import type { ScoringOutcome } from './score-candidates.ts';
import type { SearchServices } from './search-services.ts';

/** The most characters of an item that a model reads. */
const TEXT_MAX = 600;

export interface GradedRanking {
  readonly ranked: RankedList;
  readonly lowConfidence: boolean;
  /** Null if no model is configured. */
  readonly state: ScoringOutcome['state'] | null;
}

/**
 * Reorders a ranking by a language model's grades, if a model is configured and answers in time;
 * otherwise returns it unchanged. The model can reorder and drop candidates, but not add any.
 */
export async function gradeCandidates(
  services: SearchServices,
  query: { organizationKey: number; question: string; ranked: RankedList },
): Promise<GradedRanking> {
  const { organizationKey, question, ranked } = query;
  const { scoring } = services;
  const unchanged = { ranked, lowConfidence: false };
  if (scoring === null || ranked.length === 0) return { ...unchanged, state: null };
  // Items with the exact code asked for stay first: a grade cannot change that.
  const all = ranked.slice(0);
  const pinned = all.filter(({ isExactCode }) => isExactCode);
  const open = all.filter(({ isExactCode }) => !isExactCode);
  const texts = await readTexts(services, organizationKey, open.slice(0, GRADED_MAX));
  // The key includes the organization, so that a copy of another organization's product does not
  // share its grades.
  const asked = texts.map((text) => ({ key: `${organizationKey}:${hash(text)}`, text }));
  const outcome = await scoring.score(question, asked);
  if (outcome.state !== 'language_model') return { ...unchanged, state: outcome.state };
  const { candidates, lowConfidence } = applyGrades(open, outcome.grades);
  return {
    ranked: listed([...pinned, ...candidates]),
    lowConfidence: lowConfidence && pinned.length === 0,
    state: outcome.state,
  };
}

/**
 * One text for each candidate, in order, beginning with what identifies it; empty if the item is
 * gone.
 */
async function readTexts(
  { db, directory }: SearchServices,
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
  return candidates.map(({ itemKey, documentKey }) => {
    const stored = items.get(itemKey);
    if (stored === undefined) return '';
    const language = shopLanguages(directory)(stored.shopKey);
    return textOf(stored, passages.get(documentKey) ?? null, language);
  });
}

function textOf({ item }: StoredItem, passage: string | null, language: Language): string {
  if (item.type === 'context')
    return `${item.name}. ${passage ?? item.description}`.slice(0, TEXT_MAX);
  const { name, vendor, type, details, body } = offeringTexts(item, language);
  const parts = [name, vendor, type, details.slice(0, TEXT_MAX / 4), body];
  return parts
    .filter((part) => part !== '')
    .join('. ')
    .slice(0, TEXT_MAX);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
