import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Chinese, at the level of words. */
export const CHINESE: LanguageWords = {
  ...ANY,
  code: 'zh',
  analysis: { ...ANY.analysis, isSegmented: true },
  question: {
    ...ANY.question,
    stopWords: `
      的 了 是 在 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己 这 那 我想 想 买 请问 请 吗 呢 什么 哪里
      推荐 需要 找 给 一双 一件 一把`,
  },
  constraints: {
    ...ANY.constraints,
    currencies: { CNY: '元, 块, 人民币' },
    negations: '不含, 不是, 不要, 没有, 无, 非, 除了',
    upper: '低于, 不超过, 少于, 最多, max',
    lower: '高于, 超过, 至少, min',
    upperBehind: '以下, 以内',
    lowerBehind: '以上',
  },
};
