import { stopwords } from '@orama/stopwords/turkish';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Turkish, at the level of words. */
export const TURKISH: LanguageWords = {
  ...ANY,
  code: 'tr',
  analysis: {
    ...ANY.analysis,
    materials: `
      deri, deriden`,
    decimal: ',',
    // Snowball's Turkish stemmer takes more than an ending: `çanta` becomes `ça`.
    endings: `
      larinin -, lerinin -, larini -, lerini -, larin -, lerin -, lari -, leri -, lara -, lere -, lar -, ler -`,
  },
  question: {
    ...ANY.question,
    stopWords: `${stopwords.join(' ')} istiyorum arıyorum lazım almak merhaba teşekkürler lütfen bana için ile`,
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        en ucuz, en uygun fiyatlı, en uygun`,
      highestPrice: `
        en pahalı`,
      newest: `
        en yeni, yeni gelenler`,
    },
    currencies: { TRY: '₺, tl, lira, liraya', EUR: 'euro, avro', USD: 'dolar' },
    negationsBehind: 'olmayan, içermeyen, olmasın, dışında, hariç',
    upperBehind: "altı, altında, altinda, 'a kadar, kadar, altındaki, max, max.",
    lowerBehind: 'üzeri, üstü, üzerinde, ve üzeri, min, min.',
  },
};
