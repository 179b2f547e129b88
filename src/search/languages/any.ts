import type { LanguageWords } from './language-words.ts';

/**
 * What works in every language: symbols of units and currencies, which are in the code, and no words. The
 * language of a shop whose own is not known, and what a language begins with that is known in part.
 */
export const ANY: LanguageWords = {
  code: 'und',
  analysis: {
    decimal: '.',
    stemmer: null,
    endings: '',
    stemEndings: '',
    isTranscribed: false,
    compounds: 'none',
    solidWords: '',
    isSegmented: false,
    apostropheEndings: 's',
    elisions: '',
    units: {},
    times: '',
    inchesBefore: '',
    freeEndings: '',
    freeWords: '',
    freeBefore: '',
    freeBetween: '',
    irregularPlurals: '',
  },
  question: {
    stopWords: '',
    foreignStopWords: [],
    people: '',
    synonyms: '',
    compoundEndings: '',
    compoundJoints: '',
    wordEndings: '',
    headEnds: '',
    shopTopics: '',
    policyWords: '',
    shopQuestions: [],
  },
  constraints: {
    currencies: {},
    counted: '',
    upper: 'max, max., maximum, <, ≤',
    lower: 'min, min., minimum, >, ≥',
    around: '~, ca., ±',
    upperBehind: 'max, max., maximum',
    lowerBehind: 'min, min., minimum',
    between: { from: '', to: '' },
    fromTo: { from: '', to: '' },
    orders: {
      lowestPrice: '',
      highestPrice: '',
      newest: '',
    },
    available: '',
    availableNotAfter: '',
    negations: '',
    negationFillers: '',
    or: '',
    negationsRepeated: '',
    noThings: '',
    endThings: '',
    noThingEnding: null,
  },
  items: {
    denied: 'false no none n/a',
    nameHeadEnds: '',
    colours: '',
    forms: 'set kit pack original',
    accessories: '',
    clothesSizes: `
      xxl, 2xl
      xxxl, 3xl`,
    optionWords: 'size',
  },
};
