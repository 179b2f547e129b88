import { stopwords } from '@orama/stopwords/russian';
import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Russian, at the level of words. */
export const RUSSIAN: LanguageWords = {
  ...ANY,
  code: 'ru',
  analysis: {
    ...ANY.analysis,
    decimal: ',',
    stemmer: 'ru',
    units: {
      mm: 'мм',
      cm: 'см',
      m: 'м, метр, метра, метров',
      ml: 'мл',
      l: 'л, литр, литра, литров',
      g: 'г, гр, грамм, граммов',
      kg: 'кг, килограмм, килограмма',
      in: 'дюйм, дюйма, дюймов',
      gb: 'гб',
      tb: 'тб',
      w: 'вт, ватт',
      v: 'вольт',
    },
    times: 'на',
  },
  question: {
    ...ANY.question,
    stopWords: `
      ${stopwords.join(' ')} ищу нужен нужна нужно нужны хочу купить подскажите посоветуйте пожалуйста здравствуйте привет спасибо`,
    headEnds: 'для, с, со, из, без, от, на, под',
  },
  constraints: {
    ...ANY.constraints,
    currencies: {
      RUB: '₽, руб, руб., рубль, рубля, рублей, рубли, р.',
      EUR: 'евро',
      USD: 'доллар, доллара, долларов',
    },
    counted: 'человек, человека, штук, шт, минут, часов, дней, лет, месяцев, раз',
    upper: 'до, не дороже, дешевле, меньше, менее, не более, не больше, максимум, в пределах',
    lower: 'от, свыше, больше, более, дороже, не менее, не меньше, минимум',
    around: 'около, примерно, порядка',
    between: { from: 'между', to: 'и' },
    fromTo: { from: 'от, с', to: 'до, по' },
    available: 'в наличии',
    availableNotAfter: 'не, нет, когда',
    negations: 'без, не из, кроме, только не',
    negationFillers: 'из, с, со',
    or: 'или, и',
    noThings: 'очень слишком',
    endThings: 'для с со из без от до на под и или',
  },
  items: { ...ANY.items, nameHeadEnds: 'для, с, со, из, без, от, на, под' },
};
