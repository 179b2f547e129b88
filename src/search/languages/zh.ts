import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Chinese, at the level of words. */
export const CHINESE: LanguageWords = {
  ...ANY,
  code: 'zh',
  analysis: {
    ...ANY.analysis,
    isSegmented: true,
    materials: `
      皮, 真皮, 皮革, 皮质, 牛皮
      羊毛, 毛料
      棉, 纯棉, 全棉
      木, 木制, 实木`,
  },
  question: {
    ...ANY.question,
    synonyms: `
      毯, 毯子, 毛毯, 羊毛毯
      刀, 刀子, 刀具
      锅, 锅子, 锅具
      背包, 书包, 双肩背包
      杯子, 杯, 马克杯
      手机, 电话
      外套, 夹克
      裤子, 长裤`,
    stopWords: `
      的 了 是 在 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己 这 那 我想 想 买 请问 请 吗 呢 什么 哪里
      推荐 需要 找 给 一双 一件 一把`,
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        最便宜的, 最便宜, 价格最低的`,
      highestPrice: `
        最贵的, 最贵`,
      newest: `
        最新的, 最新款`,
    },
    currencies: { CNY: '元, 块, 人民币' },
    negations: '不含, 不是, 不要, 没有, 无, 非, 除了',
    upper: '低于, 不超过, 少于, 最多, max',
    lower: '高于, 超过, 至少, min',
    upperBehind: '以下, 以内',
    lowerBehind: '以上',
  },
};
