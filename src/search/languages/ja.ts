import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Japanese, at the level of words. */
export const JAPANESE: LanguageWords = {
  ...ANY,
  code: 'ja',
  analysis: {
    ...ANY.analysis,
    isSegmented: true,
    materials: `
      革, 本革, レザー, 皮革
      羊毛, ウール
      綿, コットン
      木, 木製`,
  },
  question: {
    ...ANY.question,
    synonyms: `
      リュック, リュックサック, バックパック
      鞄, バッグ, かばん
      手袋, グローブ
      靴, シューズ
      包丁, ナイフ
      上着, ジャケット
      水筒, ボトル
      傘, アンブレラ
      毛布, ブランケット
      革, レザー`,
    stopWords: `
      の に は を た が で て と し れ さ ある いる も する から な こと として い や など なっ ない この ため その よう また もの です
      ます ください 下さい 欲しい ほしい 探 探し 探す てい ましょ か ね よ お ご 何 どれ どこ いつ ありますか あり ませ ん へ まで より たい`,
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        一番安い, もっとも安い, 最も安い, 最安の, 最安値の`,
      highestPrice: `
        一番高い, 最も高い`,
      newest: `
        最新の, 新着の`,
    },
    currencies: { JPY: '円, 圓' },
    negationsBehind:
      'ではない, じゃない, でない, 以外の, 以外, を使わない, を使っていない, なしの, なし, 抜きの, 抜き, 不使用の, 不使用',
    counted: '個, 枚, 本, 人, 分, 時間, 日, 歳, 足',
    upperBehind: '以下, 以内, 以下の, までの, 未満の, まで, 未満, max',
    lowerBehind: '以上, より, から',
  },
};
