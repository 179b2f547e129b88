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
export function matchedOn(
  { matches, cosine }: Explained,
  said: SaidOfWords = new SaidOfWords(),
): readonly string[] {
  const { byWords, byWordsAndMeaning } = said.namesOf(matches);
  return cosine !== null && cosine >= NEAR_COSINE ? byWordsAndMeaning : byWords;
}

function fieldNames({ fieldsOfGroup }: FieldMatches): string[] {
  return [...new Set(fieldsOfGroup.flat().map((field) => WIRE_FIELDS[field]))];
}

const WIRE_FIELDS: Readonly<Record<Field, string>> = {
  name: 'name',
  type: 'tags',
  vendor: 'vendor',
  codes: 'sku',
  details: 'attributes',
  body: 'description',
};

/**
 * What was said of words, for results of one question: most hold them in the same fields, and share the object that
 * says so.
 */
export class SaidOfWords {
  readonly #names = new Map<FieldMatches, Names>();
  readonly #reasons = new Map<FieldMatches, Reasons[]>();

  namesOf(matches: FieldMatches): Names {
    let names = this.#names.get(matches);
    if (names === undefined) {
      const byWords = fieldNames(matches);
      names = { byWords, byWordsAndMeaning: [...byWords, 'meaning'] };
      this.#names.set(matches, names);
    }
    return names;
  }

  reasonsOf(explained: Explained, translator: Translator): Reasons {
    const { matches, held } = explained;
    let known = this.#reasons.get(matches);
    if (known === undefined) {
      known = [];
      this.#reasons.set(matches, known);
    }
    const { language } = translator;
    let said = known.find((reasons) => reasons.held === held && reasons.language === language);
    if (said === undefined) {
      const reasons = writeReasonsOfWords(explained, translator);
      const words = reasons.join(translator.text('reason.separator'));
      said = { held, language, words, asBeginning: capitalized(words) };
      known.push(said);
    }
    return said;
  }
}

/** The fields that hold a word of the question, and the same with `meaning`. */
interface Names {
  readonly byWords: readonly string[];
  readonly byWordsAndMeaning: readonly string[];
}

/** The reasons for the same matches differ with the shares held. */
interface Reasons {
  readonly held: Explained['held'];
  readonly language: Translator['language'];
  /** The reasons in one text; empty if there are none. */
  readonly words: string;
  /** The same with a capital. */
  readonly asBeginning: string;
}

/**
 * One sentence, from the figures that ranked the result: it never gives a reason that did not
 * count. `said`: of earlier results of the same question, to which it adds.
 */
export function explain(
  explained: Explained,
  translator: Translator,
  said: SaidOfWords = new SaidOfWords(),
): string {
  const { cosine, available } = explained;
  const { isPinned = false, factor = 1, chosen = null } = explained;
  const { text, decimal } = translator;
  const separator = text('reason.separator');
  const { words, asBeginning } = said.reasonsOf(explained, translator);
  let sentence = isPinned ? capitalized(text('reason.pinned')) : asBeginning;
  if (isPinned && words !== '') sentence += separator + words;
  const add = (reason: string) => {
    sentence = sentence === '' ? capitalized(reason) : sentence + separator + reason;
  };
  if (cosine !== null && (cosine >= NEAR_COSINE || sentence === '')) {
    const similarity = decimal(cosine.toFixed(2));
    const key = cosine >= NEAR_COSINE ? 'reason.near' : 'reason.somewhatNear';
    add(text(key, { similarity }));
  }
  if (sentence === '') add(text('reason.words'));
  if (chosen !== null) add(choiceReason(chosen, translator));
  if (factor !== 1) add(text(factor > 1 ? 'reason.raised' : 'reason.lowered'));
  if (!available) add(text('reason.unavailable'));
  return `${sentence}.`;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
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
