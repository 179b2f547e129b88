import { stopwords } from '@orama/stopwords/finnish';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Finnish, at the level of words. */
export const FINNISH: LanguageWords = {
  ...ANY,
  code: 'fi',
  analysis: {
    ...ANY.analysis,
    materials: `
      nahka, nahkainen, nahkaa
      villa, villainen, villaa
      puu, puinen, puuta
      puuvilla, puuvillainen, puuvillaa`,
    decimal: ',',
    stemmer: 'fi',
    compounds: 'all',
    irregularPlurals:
      'kenkä kengät, veitsi veitset, käsi kädet, lasi lasit, hansikas hansikkaat, kirves kirveet',
  },
  question: {
    ...ANY.question,
    stopWords: `${stopwords.join(' ')} etsin haluan tarvitsen ostaa kiitos hei jotain jokin`,
    compoundJoints: 'n',
  },
  constraints: {
    ...ANY.constraints,
    currencies: { EUR: 'euro, euroa, euron' },
    upper: 'alle, enintään, korkeintaan, max, max., halvempi kuin',
    lower: 'yli, vähintään, min, min.',
    negations: 'ilman, ei',
    or: 'tai, ja',
  },
};
