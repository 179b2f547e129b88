import { type AskedCode, findCodes } from '../text/codes.ts';
import { isStopWord, tellingTerms } from '../text/stop-words.ts';
import { quantityOf } from '../text/units.ts';
import { scanWords, termsOf } from '../text/words.ts';
import { type Constraint, readConstraints } from './constraints.ts';

/** A parsed question. */
export interface Question {
  /** As asked, trimmed. */
  readonly text: string;
  /** The text to embed: without prices and exclusions. */
  readonly embeddingText: string;
  /** The distinct terms that say what is wanted, in order. Empty for a question without words. */
  readonly terms: readonly string[];
  /**
   * How many of the terms form the head, before `for …` or `with …`: `case for a tablet` asks for a
   * case.
   */
  readonly headLength: number;
  /** Whether it has words besides the terms: a sentence, or a product with conditions. */
  readonly isSentence: boolean;
  /** Whether it asks how the shop works (`how do I return …`) rather than only for a product. */
  readonly asksShop: boolean;
  /** Sizes among the terms. */
  readonly measures: readonly string[];
  /** Parts that may be codes; only the catalogue can tell. */
  readonly codes: readonly AskedCode[];
  readonly constraints: readonly Constraint[];
}

/** Further terms are ignored: they rarely add anything to the first ones. */
const TERMS_MAX = 32;

/** Words that end the head of a question. */
const HEAD_END =
  /(?<=[\p{L}\p{N}"″]\s+)(?:for|with|compatible|fits?|fitting|to fit|from|by|that|which|für|mit|pour|avec|para)\s/iu;

/** `How do I …`, `can I …`, `do you …`, `what is your …`, in English and German. */
const ASKS_SHOP =
  /^(?:(?:how|can|could|may|do|does|will|when|where|is|are|what)\b.*\b(?:i|we|you|your)|(?:wie|kann|können|darf|wann|wo|muss|was|gibt)\b.*\b(?:ich|wir|man|ihr|sie|eure?|ihre?))\b/i;

/**
 * Parses a question. Stop words count only if a question has no other words ("the who", "it"). A
 * question made only of constraints ("lactose-free") is searched for the words of its constraints.
 * Pure.
 */
export function parseQuestion(text: string): Question {
  const { constraints, rest } = readConstraints(text);
  const asked = distinctTerms(rest);
  const isBare = asked.every(isStopWord);
  const all = isBare ? distinctTerms(text) : asked;
  const telling = tellingTerms(all);
  const terms = telling.slice(0, TERMS_MAX);
  const end = rest.search(HEAD_END);
  const head = new Set(end < 0 ? terms : termsOf(rest.slice(0, end)));
  const headLength = terms.filter((term) => head.has(term)).length;
  const embeddingText = rest.replace(/\s+/g, ' ').trim();
  return {
    text: text.trim(),
    embeddingText: isBare || embeddingText === '' ? text.trim() : embeddingText,
    terms,
    headLength: headLength === 0 ? terms.length : headLength,
    isSentence: constraints.length > 0 || telling.length < all.length,
    asksShop: ASKS_SHOP.test(text.trim()),
    measures: terms.filter((term) => quantityOf(term) !== null),
    codes: findCodes(rest),
    constraints,
  };
}

function distinctTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const { term } of scanWords(text)) if (term !== '') terms.add(term);
  return [...terms];
}
