/**
 * Everything that the search knows about one language, as plain words and phrases that a native speaker can
 * review. Case never matters, and diacritics only in constraints. A blank within a phrase stands for any
 * blanks.
 */
export interface LanguageWords {
  /** ISO 639-1 code, the language of a shop's locale. */
  readonly code: string;
  readonly analysis: AnalysisWords;
  readonly question: QuestionWords;
  readonly constraints: ConstraintWords;
  readonly items: ItemWords;
}

/** Words separated by blanks. */
type Words = string;

/** Words and phrases separated by commas. */
type Phrases = string;

/** Pairs separated by commas: what is replaced, a blank, and what by; `-` for nothing. */
type Replacements = string;

/** How texts become terms. */
export interface AnalysisWords {
  /** `1.5` or `1,5`. The other character separates thousands. */
  readonly decimal: '.' | ',';
  /**
   * What reduces words to stems: the Snowball stemmer of a language; English plural endings alone; or only
   * `endings`.
   */
  readonly stemmer: Stemmer | 'plural' | null;
  /** Words whose stem would be another word, also at the end of a compound: `Leder` is not `LED`. */
  readonly unstemmed: Words;
  /** Endings of a word, before it is stemmed: of several that fit, the longest is replaced. */
  readonly endings: Replacements;
  /** Endings of a stem, which stemmers leave different: `pann` of `pannen` and `pan`. */
  readonly stemEndings: Replacements;
  /** Whether `ae`, `oe` and `ue` may stand for `ä`, `ö` and `ü`. */
  readonly isTranscribed: boolean;
  /**
   * Whether nouns are joined to one word, whose last part says what it is (`Kochtopf`): no; those that are
   * written with a capital; or all.
   */
  readonly compounds: 'none' | 'capitalized' | 'all';
  /** Words that look like compounds, and are not what their last part names: a `Handschuh` is no `Schuh`. */
  readonly solidWords: Words;
  /**
   * Whether texts are split into words by Unicode's segmentation with this language's dictionary. Otherwise
   * scripts without blanks are split into overlapping pairs of characters.
   */
  readonly isSegmented: boolean;
  /** The endings after an apostrophe that are no words: `men's`. */
  readonly apostropheEndings: Words;
  /** The words before an apostrophe that are no words: `l'écharpe`. */
  readonly elisions: Words;
  /**
   * Names of units, by the units of `units.ts`. A symbol that is the same everywhere (`mm`, `kg`) is there
   * already.
   */
  readonly units: Readonly<Record<string, Phrases>>;
  /** The word between two amounts: `8 by 10`. */
  readonly times: Phrases;
  /** Words behind `10 in` that make it inches; empty where `in` is no unit. */
  readonly inchesBefore: Words;
  /** Endings that say an item is free of a thing, joined to its name (`lactose-free`, `laktosefrei`). */
  readonly freeEndings: Phrases;
  /** The same as a word of its own, in the texts of items: `lactose free`. */
  readonly freeWords: Phrases;
  /** Words before a thing that an item is free of, in the texts of items. */
  readonly freeBefore: Phrases;
  /** Words between those and the thing: `no added sugar`. */
  readonly freeBetween: Phrases;
  /** Pairs of singular and plural that no rule relates, also at the end of a compound. */
  readonly irregularPlurals: Phrases;
  /**
   * Nouns of materials with the words that say a thing is made of them, one group a line: each is found, and
   * excluded, by the others (`Leder, ledern`).
   */
  readonly materials: string;
  /**
   * Nouns that end compounds and whose terms have three letters: `koeken` + `pan`. Other short words end too many by
   * chance.
   */
  readonly compoundHeads: Words;
}

/** The languages whose Snowball stemmer is used. */
export type Stemmer = 'da' | 'de' | 'es' | 'fi' | 'nl' | 'no' | 'pt' | 'ru' | 'sv';

/** Which words of a question count, and what else they may mean. */
export interface QuestionWords {
  /** Words of questions that say nothing about the product. */
  readonly stopWords: Words;
  /**
   * The same for languages that customers also use: each applies to a question that has two of its words or
   * more, because some are words of this language too.
   */
  readonly foreignStopWords: readonly Words[];
  /** The people a product is for: a catalogue seldom names them. */
  readonly people: Words;
  /**
   * Names of the same thing, one group a line. Two names of equally many words replace each other word by
   * word. For a single word, only the first word of a longer name is used, so the most specific word comes
   * first. Only true synonyms: a rug is not a carpet.
   */
  readonly synonyms: string;
  /** Endings that a word may have as the last part of a compound. */
  readonly compoundEndings: Phrases;
  /** What may join the first part of a compound to its last: `Küchen-n-waage`. */
  readonly compoundJoints: Phrases;
  /** Endings that make another word of a word, so that it is not its misspelling: `gamer` of `game`. */
  readonly wordEndings: Words;
  /** Words for anything that `for …` follows: `gift for a gamer` does not ask for a gift card. */
  readonly vagueWords: Words;
  /** Words that end what is asked for: `case for a tablet` asks for a case, `protect my phone` for no phone. */
  readonly headEnds: Phrases;
  /** What shops have policies about. */
  readonly shopTopics: Words;
  /** What a policy is called: `return policy` asks for what says something about returns. */
  readonly policyWords: Words;
  /** A question that begins with one of the first words and then has one of the second is about the shop. */
  readonly shopQuestions: readonly { readonly begins: Phrases; readonly about: Phrases }[];
}

/** The conditions of a question. */
export interface ConstraintWords {
  /** Currency names by ISO 4217 code. Symbols and codes are known in every language. */
  readonly currencies: Readonly<Record<string, Phrases>>;
  /** Amounts in words, each with its digits: `fifty 50`. */
  readonly numbers: Phrases;
  /** What makes an amount a count: `up to 4 people`. */
  readonly counted: Phrases;
  /** Before an amount: at most, at least, about. */
  readonly upper: Phrases;
  readonly lower: Phrases;
  readonly around: Phrases;
  /** Behind an amount: `$50 or less`. */
  readonly upperBehind: Phrases;
  readonly lowerBehind: Phrases;
  /** `between 10 and 20`. */
  readonly between: RangeWords;
  /** `from 10 to 20`. */
  readonly fromTo: RangeWords;
  /** Words that order what fits, from the lowest price, the highest one, or the latest date. */
  readonly orders: Readonly<Record<OrderName, Phrases>>;
  readonly available: Phrases;
  /** Before one of those, they ask for something else: `back in stock`. */
  readonly availableNotAfter: Phrases;
  /** Before a thing that is not wanted. */
  readonly negations: Phrases;
  /** The same behind the thing: `deri olmayan`, `革ではない`. */
  readonly negationsBehind: Phrases;
  /** Between those and the thing: `without any`. */
  readonly negationFillers: Phrases;
  /** Between two things that are not wanted, and what may be repeated behind it: `without nuts or milk`. */
  readonly or: Phrases;
  readonly negationsRepeated: Phrases;
  /** After a negation, these name no thing: `not too big`. */
  readonly noThings: Words;
  /** These end the name of a thing: `without lid for …`. */
  readonly endThings: Words;
  /** An ending of words that name no thing when a further word follows: `without lying awake`. */
  readonly noThingEnding: string | null;
}

export type OrderName = 'lowestPrice' | 'highestPrice' | 'newest';

export interface RangeWords {
  readonly from: Phrases;
  readonly to: Phrases;
}

/** Words in the data of items. */
export interface ItemWords {
  /** Values that deny an attribute. */
  readonly denied: Words;
  /** Words that end the part of a name that says what the item is. */
  readonly nameHeadEnds: Phrases;
  /** Whether the noun of a name comes first (`veste imperméable`) rather than last (`rain jacket`). */
  readonly isNounFirst: boolean;
  /** Where it comes first: words that stand before it all the same, besides stop words and `forms`. */
  readonly beforeNoun: Words;
  /** Colours, which shops append to a name. */
  readonly colours: Words;
  /** Words behind the noun that say in what form the product comes: `knife set`, `toner cartridge`. */
  readonly forms: Words;
  /**
   * Things that are made for another product: cases, spare parts, consumables. Only words that seldom name the
   * product itself when they follow its name: a `camera kit` is a camera.
   */
  readonly accessories: Words;
  /** Sizes of clothes, the spellings of one in each line. */
  readonly clothesSizes: string;
  /** Words for an option that go with a value: `size M`. The first is the word for a size. */
  readonly optionWords: Words;
}
