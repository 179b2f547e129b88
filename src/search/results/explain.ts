import type { Field } from '../../domain/field.ts';
import type { Translator } from '../../messages/translator.ts';
import type { ChosenReason } from '../learning/learned-model.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { respelling } from '../query/suggest-spelling.ts';
import { NEAR_COSINE } from '../tuning/ranking-weights.ts';
import type { FieldMatches } from './match.ts';

export interface Explained {
  readonly groups: readonly TermGroup[];
  readonly matches: FieldMatches;
  /** For each group: below 1 if only a substitute was found. Left out: all are 1. */
  readonly held?: readonly number[];
  /** Null if there is no vector. */
  readonly cosine: number | null;
  readonly available: boolean;
  /** Whether the shop's owner chose its place. */
  readonly isPinned?: boolean;
  /** What the shop's owner multiplied its score by. */
  readonly factor?: number;
  /** Why earlier customers' choices moved it; null or left out: they did not. */
  readonly chosen?: ChosenReason | null;
}

/**
 * The `matchedOn` of a result: the fields that hold a word of the question, and `meaning` if the
 * vector is near.
 */
export function matchedOn({ matches, cosine }: Explained): string[] {
  const found: string[] = [];
  for (const fields of matches.fieldsOfGroup) {
    for (const field of fields) {
      const name = WIRE_FIELDS[field];
      if (!found.includes(name)) found.push(name);
    }
  }
  if (cosine !== null && cosine >= NEAR_COSINE) found.push('meaning');
  return found;
}

const WIRE_FIELDS: Readonly<Record<Field, string>> = {
  name: 'name',
  type: 'tags',
  vendor: 'vendor',
  codes: 'sku',
  details: 'attributes',
  body: 'description',
};

/** What was said of words, by what is said: most results of an answer have them in the same fields. */
export type SaidOfWords = Map<string, readonly string[]>;

/**
 * One sentence, from the figures that ranked the result: it never gives a reason that did not
 * count. `said`: of earlier results of the same question, to which it adds.
 */
export function explain(
  explained: Explained,
  translator: Translator,
  said: SaidOfWords = new Map(),
): string {
  const { cosine, available } = explained;
  const { isPinned = false, factor = 1, chosen = null } = explained;
  const { text, decimal } = translator;
  const ofWords = reasonsOfWords(explained, translator, said);
  const reasons = isPinned ? [text('reason.pinned'), ...ofWords] : [...ofWords];
  if (cosine !== null && (cosine >= NEAR_COSINE || reasons.length === 0)) {
    const similarity = decimal(cosine.toFixed(2));
    const key = cosine >= NEAR_COSINE ? 'reason.near' : 'reason.somewhatNear';
    reasons.push(text(key, { similarity }));
  }
  if (reasons.length === 0) reasons.push(text('reason.words'));
  if (chosen !== null) reasons.push(choiceReason(chosen, translator));
  if (factor !== 1) reasons.push(text(factor > 1 ? 'reason.raised' : 'reason.lowered'));
  if (!available) reasons.push(text('reason.unavailable'));
  const sentence = reasons.length === 1 ? reasons[0]! : reasons.join(text('reason.separator'));
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function reasonsOfWords(
  explained: Explained,
  translator: Translator,
  said: SaidOfWords,
): readonly string[] {
  const { groups, matches, held } = explained;
  let key: string = translator.language;
  for (const [index, fields] of matches.fieldsOfGroup.entries()) {
    const isCode = groups[index]!.isCode === true && fields.includes('codes');
    key += `,${isCode ? 'code' : (fields[0] ?? '')}${isOtherWord(held, index) ? '~' : ''}`;
  }
  let reasons = said.get(key);
  if (reasons === undefined) {
    reasons = writeReasonsOfWords(explained, translator);
    said.set(key, reasons);
  }
  return reasons;
}

/** The codes, then the words by the first field that holds them. */
function writeReasonsOfWords(
  { groups, matches, held }: Explained,
  { text, list }: Translator,
): string[] {
  const termsByField = new Map<Field, string[]>();
  const reasons: string[] = [];
  for (const [index, fields] of matches.fieldsOfGroup.entries()) {
    const [first] = fields;
    if (first === undefined) continue;
    if (groups[index]!.isCode === true && fields.includes('codes')) {
      reasons.push(text('reason.code', { code: groups[index]!.term }));
      continue;
    }
    const term = text(isOtherWord(held, index) ? 'reason.otherTerm' : 'reason.term', {
      term: spelling(groups[index]!),
    });
    const terms = termsByField.get(first);
    if (terms === undefined) termsByField.set(first, [term]);
    else terms.push(term);
  }
  for (const [field, terms] of termsByField)
    reasons.push(text(`reason.${field}`, { terms: list(terms) }));
  return reasons;
}

function isOtherWord(held: Explained['held'], index: number): boolean {
  return (held?.[index] ?? 1) < 1;
}

const CHOICE_REASONS = {
  same: 'reason.chosenHere',
  near: 'reason.chosenNear',
  any: 'reason.chosenOften',
} as const;

function choiceReason({ asked, chosenBy, of }: ChosenReason, { text }: Translator): string {
  return text(CHOICE_REASONS[asked], { chosenBy, of });
}

/** The word or term as asked, and the replacement of a term if there was one: `hedphones → headphones`. */
function spelling(group: TermGroup): string {
  if (group.word !== undefined) return group.word;
  const replacement = respelling(group);
  return replacement === null ? group.term : `${group.term} → ${replacement}`;
}
