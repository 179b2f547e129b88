import { stopwords } from '@orama/stopwords/finnish';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Finnish, at the level of words. */
export const FINNISH: LanguageWords = {
  ...ANY,
  code: 'fi',
  analysis: {
    ...ANY.analysis,
    compoundHeads: 'takki muki kuppi lasi pipo hattu laukku reppu matto tuoli lamppu pussi',
    materials: `
      nahka, nahkainen, nahkaa
      villa, villainen, villaa
      puu, puinen, puuta
      puuvilla, puuvillainen, puuvillaa`,
    decimal: ',',
    stemmer: 'fi',
    // Snowball leaves the last vowel of short words and takes that of compounds.
    stemEndings: 'a -, e -, i -',
    compounds: 'all',
    irregularPlurals:
      'kenkä kengät, veitsi veitset, käsi kädet, lasi lasit, hansikas hansikkaat, kirves kirveet',
  },
  question: {
    ...ANY.question,
    stopWords: `${stopwords.join(' ')} etsin haluan tarvitsen ostaa kiitos hei jotain jokin`,
    compoundJoints: 'n, a, e, i, o, u',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        halvin, halvimmat, halvimman, edullisin, edullisimmat, halvin hinta`,
      highestPrice: `
        kallein, kalleimmat`,
      newest: `
        uusin, uusimmat, uutuudet`,
    },
    currencies: { EUR: 'euro, euroa, euron' },
    upper: 'alle, enintään, korkeintaan, max, max., halvempi kuin',
    lower: 'yli, vähintään, min, min.',
    negations: 'ilman, ei',
    or: 'tai, ja',
  },
};
