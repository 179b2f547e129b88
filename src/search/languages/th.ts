import { ANY } from './any.ts';
import type { LanguageWords } from './language-words.ts';

/** Thai, at the level of words. */
export const THAI: LanguageWords = {
  ...ANY,
  code: 'th',
  analysis: { ...ANY.analysis, isSegmented: true },
  question: {
    ...ANY.question,
    stopWords:
      'ฉัน ผม เรา กำลัง มอง หา ต้องการ อยาก ได้ ที่ และ หรือ ของ สำหรับ มี ไหม ครับ ค่ะ คะ นี้ นั้น จะ ให้ เป็น ใน ซื้อ',
  },
  constraints: {
    ...ANY.constraints,
    orders: {
      lowestPrice: `
        ถูกที่สุด, ราคาถูกที่สุด`,
      highestPrice: `
        แพงที่สุด`,
      newest: `
        ใหม่ล่าสุด`,
    },
    currencies: { THB: '฿, บาท' },
    negations: 'ไม่ใช่, ไม่มี, ไม่เอา, ยกเว้น, ไม่ผสม',
    upper: 'ไม่เกิน, ต่ำกว่า, น้อยกว่า',
    lower: 'มากกว่า, อย่างน้อย',
  },
};
