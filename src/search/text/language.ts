import { ALL_WORDS } from '../languages/all.ts';
import { ANY } from '../languages/any.ts';
import type { LanguageWords } from '../languages/language-words.ts';
import type { IndexTerm, IndexTerms } from './index-terms.ts';
import { phrasesIn } from './phrases.ts';
import { StopWords } from './stop-words.ts';
import { type Synonyms, synonymsFrom, synonymsIn } from './synonyms.ts';
import { Tokenizer, type Word } from './tokenizer.ts';
import { type Measure, MeasureReader } from './units.ts';
import { WordForms } from './word-forms.ts';

/** How texts and questions of one language are analysed. Documents and questions share it. */
export class Language {
  readonly words: LanguageWords;
  readonly measures: MeasureReader;
  readonly stopWords: StopWords;
  readonly #tokenizer: Tokenizer;
  readonly #synonyms: Synonyms;
  readonly #forms: WordForms;

  constructor(words: LanguageWords) {
    const { analysis, question } = words;
    this.words = words;
    this.measures = new MeasureReader(analysis);
    this.#tokenizer = new Tokenizer(words, this.measures);
    this.stopWords = new StopWords(question, this.termOf);
    this.#forms = new WordForms(
      { plurals: analysis.irregularPlurals, materials: analysis.materials },
      this.termOf,
    );
    const groups = question.synonyms.split('\n').map((line) => ({ names: phrasesIn(line) }));
    this.#synonyms = synonymsFrom(groups, this.termsOfName);
  }

  /** ISO 639-1. */
  get code(): string {
    return this.words.code;
  }

  /** Whether words are reduced further than to their singular. */
  get isStemmed(): boolean {
    return this.words.analysis.stemmer !== 'plural';
  }

  /** The term of one word. */
  readonly termOf = (word: string): string => this.#tokenizer.termOf(word);

  /** The terms of the words of a name, such as a synonym; unlike in a text, digits are no sizes. */
  readonly termsOfName = (name: string): string[] => {
    const words = name.trim().split(/[\s-]+/);
    return this.words.analysis.isSegmented
      ? words.flatMap((word) => this.termsOf(word))
      : words.map(this.termOf);
  };

  /** The terms of a text in order, repetitions included. `measures`: its sizes, if they are known. */
  termsOf(text: string, measures?: readonly Measure[]): string[] {
    return this.#tokenizer.termsOf(text, measures);
  }

  /** As `termsOf`, with the place of each. */
  scanWords(text: string, measures?: readonly Measure[]): Word[] {
    return this.#tokenizer.scanWords(text, measures);
  }

  /** The terms that a text is indexed under, those of its words first; `starts` takes where these begin. */
  indexTermsOf(
    text: string,
    terms: IndexTerms,
    {
      measures = this.measures.find(text),
      starts,
    }: { readonly measures?: readonly Measure[]; readonly starts?: number[] | undefined } = {},
  ): IndexTerm[] {
    return this.#tokenizer.indexTermsOf(text, terms, { measures, starts });
  }

  isStopWord(term: string): boolean {
    return this.stopWords.has(term);
  }

  /**
   * The synonyms of each of a question's terms, in order, from this language's list or another; see
   * `synonymsIn`.
   */
  synonymsOf(terms: readonly string[], synonyms: Synonyms = this.#synonyms): string[][] {
    return synonymsIn(synonyms, terms);
  }

  /** As `WordForms.othersOf`. */
  otherFormsOf(term: string): readonly string[] {
    return this.#forms.othersOf(term);
  }
}

/** Codes that stand for another one. */
const OTHER_CODES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

const WORDS = new Map(ALL_WORDS.map((words) => [words.code, words]));
const LANGUAGES = new Map<string, Language>();

/** The language of a locale, such as `de-AT`; what works in every language for one that is not known. */
export function languageOf(locale: string): Language {
  const [code = ''] = locale.toLowerCase().split('-');
  const words = WORDS.get(OTHER_CODES[code] ?? code) ?? ANY;
  const known = LANGUAGES.get(words.code) ?? new Language(words);
  LANGUAGES.set(words.code, known);
  return known;
}

/** Makes something of a language once, when it is first asked for. */
export function perLanguage<Made>(
  make: (language: Language) => Made,
): (language: Language) => Made {
  const made = new WeakMap<Language, Made>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}
