import { stopwords } from '@orama/stopwords/norwegian';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Norwegian, at the level of words. */
export const NORWEGIAN: LanguageWords = {
  ...ANY,
  code: 'no',
  analysis: {
    ...ANY.analysis,
    unstemmed: 'lær sølv kobber',
    compoundHeads: 'sko lue',
    materials: `
      lær, skinn
      ull, ullen`,
    decimal: ',',
    stemmer: 'no',
    compounds: 'all',
    solidWords: 'praktisk automatisk elastisk natur temperatur hanske',
    irregularPlurals: 'bok bøker, hånd hender, fot føtter, tann tenner, gås gjess',
  },
  question: {
    ...ANY.question,
    stopWords: `
      ${stopwords.join(' ')} søker leter trenger vil gjerne kjøpe finne takk hei noe noen`,
    compoundJoints: 's, e',
    headEnds: 'til, med, uten, av, fra, i, på, for',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        billigste, billigst, den billigste, de billigste, laveste pris, beste pris`,
      highestPrice: `
        dyreste, dyrest, den dyreste`,
      newest: `
        nyeste, siste, nyheter`,
    },
    currencies: { NOK: 'kr, kr., kronor, kroner', EUR: 'euro' },
    upper: 'under, opptil, høyst, mindre enn, billigere enn, maks, ikke mer enn, max, max.',
    lower: 'over, minst, mer enn, fra, min, min.',
    between: { from: 'mellom', to: 'og' },
    negations: 'uten, ikke, unntatt',
    negationFillers: 'i, av, med, en, et, noen',
    or: 'eller, og',
  },
  items: { ...ANY.items, nameHeadEnds: 'til, med, uten, av, fra, i, på, for' },
};
