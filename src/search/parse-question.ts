import { scanWords } from './words.ts';

/** What somebody asked, as search understands it. */
export interface Question {
  /** As asked, trimmed: what the embedder reads. */
  readonly text: string;
  /** The distinct terms that say what is wanted, in order. Empty for a question without a word. */
  readonly terms: readonly string[];
}

/** More terms than this add nothing that the first ones do not say. */
const TERMS_MAX = 32;

/** Words of English questions that say nothing about the thing asked for. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all am an and any anything are as at be been but by can could did do does for from get give had ha have
   how i if in into is it its just like looking me my need of on one or our please recommend sell shall she should
   show so some something tell than that the their them then there these they thi this those to under want wa
   was we were what when where which who why will with would you your`.split(/\s+/),
);

/** Pure. Words that say nothing count only where a question has no others ("the who", "it"). */
export function parseQuestion(text: string): Question {
  const terms = new Set<string>();
  for (const { term } of scanWords(text)) if (term !== '') terms.add(term);
  const telling = [...terms].filter((term) => !STOP_WORDS.has(term));
  return { text: text.trim(), terms: (telling.length > 0 ? telling : [...terms]).slice(0, TERMS_MAX) };
}
