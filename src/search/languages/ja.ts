import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Japanese, at the level of words. */
export const JAPANESE: LanguageWords = {
  ...ANY,
  code: 'ja',
  analysis: { ...ANY.analysis, isSegmented: true },
  question: {
    ...ANY.question,
    stopWords: `
      の に は を た が で て と し れ さ ある いる も する から な こと として い や など なっ ない この ため その よう また もの です
      ます ください 下さい 欲しい ほしい 探 探し 探す てい ましょ か ね よ お ご 何 どれ どこ いつ ありますか あり ませ ん へ まで より たい`,
  },
  constraints: {
    ...ANY.constraints,
    currencies: { JPY: '円, 圓' },
    negationsBehind:
      'ではない, じゃない, でない, 以外の, 以外, を使わない, を使っていない, なしの, なし, 抜きの, 抜き, 不使用の, 不使用',
    counted: '個, 枚, 本, 人, 分, 時間, 日, 歳, 足',
    upperBehind: '以下, 以内, 以下の, までの, 未満の, まで, 未満, max',
    lowerBehind: '以上, より, から',
  },
};
