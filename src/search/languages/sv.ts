import { stopwords } from '@orama/stopwords/swedish';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Swedish, at the level of words. */
export const SWEDISH: LanguageWords = {
  ...ANY,
  code: 'sv',
  analysis: {
    ...ANY.analysis,
    unstemmed: 'läder silver koppar',
    compoundHeads: 'sko',
    materials: `
      läder, skinn
      ull, ylle
      trä, träig`,
    decimal: ',',
    stemmer: 'sv',
    compounds: 'all',
    solidWords: 'praktisk automatisk elastisk natur temperatur handske',
    irregularPlurals: 'bok böcker, hand händer, fot fötter, tand tänder, sko skor, natt nätter',
  },
  question: {
    ...ANY.question,
    stopWords: `
      ${stopwords.join(' ')} söker letar behöver vill köpa hitta tack hej något någon`,
    compoundJoints: 's, e',
    headEnds: 'för, med, utan, av, till, från, i, på',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        billigaste, billigast, den billigaste, de billigaste, lägsta pris, bästa pris`,
      highestPrice: `
        dyraste, dyrast, den dyraste`,
      newest: `
        nyaste, senaste, nyheter`,
    },
    currencies: { SEK: 'kr, kr., kronor, kroner', EUR: 'euro' },
    upper: 'under, upp till, högst, mindre än, billigare än, max, inte mer än, max, max.',
    lower: 'över, minst, mer än, från, min, min.',
    between: { from: 'mellan', to: 'och' },
    negations: 'utan, inte, ej, förutom',
    negationFillers: 'i, av, med, en, ett, någon',
    or: 'eller, och',
  },
  items: { ...ANY.items, nameHeadEnds: 'för, med, utan, av, till, från, i, på' },
};
