import { type AskedCode, findCodes } from '../text/codes.ts';
import { isStopWord, tellingTerms } from '../text/stop-words.ts';
import { quantityOf } from '../text/units.ts';
import { scanWords, termsOf } from '../text/words.ts';
import { type Constraint, readConstraints } from './constraints.ts';

/** What somebody asked, as search understands it. */
export interface Question {
  /** As asked, trimmed. */
  readonly text: string;
  /** What the embedder reads: without prices and what is not wanted. */
  readonly embeddingText: string;
  /** The distinct terms that say what is wanted, in order. Empty for a question without a word. */
  readonly terms: readonly string[];
  /** How many of them name the thing itself, before `for …` or `with …`: `case for a tablet` asks for a case. */
  readonly headLength: number;
  /** Whether it has words besides the terms: a sentence, or a thing with conditions. */
  readonly isSentence: boolean;
  /** Whether it asks the shop what one can do or what it does (`how do I return …`), and not for a thing alone. */
  readonly asksShop: boolean;
  /** Sizes among the terms. */
  readonly measures: readonly string[];
  /** Parts that may be codes; whether they are, the catalogue knows. */
  readonly codes: readonly AskedCode[];
  readonly constraints: readonly Constraint[];
}

/** More terms than this add nothing that the first ones do not say. */
const TERMS_MAX = 32;

/** What ends the part of a question that names the thing. */
const HEAD_END =
  /(?<=[\p{L}\p{N}"″]\s+)(?:for|with|compatible|fits?|fitting|to fit|from|by|that|which|für|mit|pour|avec|para)\s/iu;

/** `How do I …`, `can I …`, `do you …`, `what is your …`, in English and German. */
const ASKS_SHOP =
  /^(?:(?:how|can|could|may|do|does|will|when|where|is|are|what)\b.*\b(?:i|we|you|your)|(?:wie|kann|können|darf|wann|wo|muss|was|gibt)\b.*\b(?:ich|wir|man|ihr|sie|eure?|ihre?))\b/i;

/**
 * Pure. Words that say nothing count only where a question has no others ("the who", "it"), and a
 * question that is nothing but constraints ("lactose-free") is searched for their words.
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
