import type { QuestionWords } from '../languages/language-words.ts';
import { wordsIn } from './phrases.ts';

/** A question with this many stop words of a foreign language is taken to be in that language. */
const FOREIGN_WORDS_MIN = 2;

/** Which of a question's terms say something about the product. */
export class StopWords {
  readonly #own: ReadonlySet<string>;
  readonly #foreign: readonly ReadonlySet<string>[];
  readonly #people: ReadonlySet<string>;

  constructor(
    { stopWords, foreignStopWords, people }: QuestionWords,
    termOf: (word: string) => string,
  ) {
    const termSet = (words: string) => new Set(wordsIn(words).map(termOf));
    this.#own = termSet(stopWords);
    this.#foreign = foreignStopWords.map(termSet);
    this.#people = termSet(people);
  }

  has(term: string): boolean {
    return this.#own.has(term);
  }

  /** The terms that are not stop words; all terms if every one is a stop word ("the who", "it"). */
  tellingTerms(terms: readonly string[]): string[] {
    const foreign = this.#foreign.filter(
      (words) => terms.filter((term) => words.has(term)).length >= FOREIGN_WORDS_MIN,
    );
    const telling = terms.filter(
      (term) => !this.#own.has(term) && !foreign.some((words) => words.has(term)),
    );
    return telling.length > 0 ? telling : [...terms];
  }

  /** Whether the term names people that a product may be for. */
  isPerson(term: string): boolean {
    return this.#people.has(term);
  }
}
