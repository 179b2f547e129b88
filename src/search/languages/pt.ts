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
    endings: 'oes ao, aes ao, ais al, eis el, ois ol, uis ul, ns m',
  },
  question: {
    ...ANY.question,
    stopWords: `${stopwords.join(' ')} quero queria procuro preciso gostaria algo olá obrigado obrigada favor`,
    headEnds: 'para, com, sem, de, do, da, em, que',
  },
  constraints: {
    ...ANY.constraints,
    currencies: { EUR: 'euro, euros', BRL: 'real, reais, r$' },
    upper: 'até, menos de, abaixo de, por menos de, no máximo, máximo, max, max., inferior a',
    lower: 'mais de, acima de, a partir de, no mínimo, mínimo, pelo menos, min, min.',
    between: { from: 'entre', to: 'e' },
    fromTo: { from: 'de', to: 'a, até' },
    negations: 'sem, exceto, menos',
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
