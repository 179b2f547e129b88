import { stopwords } from '@orama/stopwords/portuguese';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Portuguese, of Portugal and of Brazil, at the level of words. */
export const PORTUGUESE: LanguageWords = {
  ...ANY,
  code: 'pt',
  analysis: {
    ...ANY.analysis,
    decimal: ',',
    stemmer: 'pt',
    irregularPlurals: 'pão pães, cão cães, mão mãos, mês meses',
    endings: 'oes ao, aes ao, ais al, eis el, ois ol, uis ul, ns m',
  },
  question: {
    ...ANY.question,
    stopWords: `${stopwords.join(' ')} quero queria procuro preciso gostaria algo olá obrigado obrigada favor`,
    headEnds: 'para, com, sem, de, do, da, em, que',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        mais barato, mais barata, mais baratos, mais baratas, o mais barato, a mais barata, os mais baratos, as mais baratas, melhor preço`,
      highestPrice: `
        mais caro, mais cara, mais caros, mais caras, o mais caro, a mais cara`,
      newest: `
        mais novo, mais nova, mais recente, mais recentes, novidades`,
    },
    currencies: { EUR: 'euro, euros', BRL: 'real, reais, r$' },
    upper: 'até, menos de, abaixo de, por menos de, no máximo, máximo, max, max., inferior a',
    lower: 'mais de, acima de, a partir de, no mínimo, mínimo, pelo menos, min, min.',
    between: { from: 'entre', to: 'e' },
    fromTo: { from: 'de', to: 'a, até' },
    negations: `
      sem, exceto, menos, que não seja, que não sejam, que não tenha, que não tenham, não, mas não, em vez de`,
    negationFillers: 'de, o, a, um, uma',
    or: 'ou, e, nem',
  },
  items: {
    ...ANY.items,
    nameHeadEnds: 'para, com, sem, de, do, da, em',
    isNounFirst: true,
    beforeNoun:
      'bom boa grande melhor melhores mini novo nova pequeno pequena dois duas três quatro cinco seis',
  },
};
