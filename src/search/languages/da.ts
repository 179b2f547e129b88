import { stopwords } from '@orama/stopwords/danish';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Danish, at the level of words. */
export const DANISH: LanguageWords = {
  ...ANY,
  code: 'da',
  analysis: {
    ...ANY.analysis,
    unstemmed: 'læder silver kobber',
    compoundHeads: 'sko hue hat',
    materials: `
      læder, skind
      uld, ulden`,
    decimal: ',',
    stemmer: 'da',
    compounds: 'all',
    solidWords: 'praktisk automatisk elastisk natur temperatur handske',
    irregularPlurals: 'bog bøger, hånd hænder, fod fødder, tand tænder, gås gæs',
  },
  question: {
    ...ANY.question,
    stopWords: `
      ${stopwords.join(' ')} søger leder mangler vil gerne købe finde tak hej noget nogen`,
    compoundJoints: 's, e',
    headEnds: 'til, med, uden, af, fra, i, på, for',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        billigste, billigst, den billigste, de billigste, laveste pris, bedste pris`,
      highestPrice: `
        dyreste, dyrest, den dyreste`,
      newest: `
        nyeste, seneste, nyheder`,
    },
    currencies: { DKK: 'kr, kr., kronor, kroner', EUR: 'euro' },
    upper: 'under, op til, højst, mindre end, billigere end, maks, ikke mere end, max, max.',
    lower: 'over, mindst, mere end, fra, min, min.',
    between: { from: 'mellem', to: 'og' },
    negations: 'uden, ikke, undtagen',
    negationFillers: 'i, af, med, en, et, nogen',
    or: 'eller, og',
  },
  items: { ...ANY.items, nameHeadEnds: 'til, med, uden, af, fra, i, på, for' },
};
