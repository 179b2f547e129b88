import { isCurrency } from '../../domain/money.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import { isPrice, readPrice } from '../record/prices.ts';
import { parseGtin } from '../record/values.ts';
import { wordOf } from './dictionary.ts';

/** Share of a column's filled cells that must look alike; the rest may be slips. */
const MOST = 0.9;

/** Fewest cells that show what a column without a known heading holds. */
const TELLING_CELLS = 5;

/** The filled cells of one column in the first rows of a table. */
export class Cells {
  readonly filled: readonly string[];
  readonly rowCount: number;

  constructor(cells: readonly string[]) {
    this.filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    this.rowCount = cells.length;
  }

  get isEmpty(): boolean {
    return this.filled.length === 0;
  }

  /** Whether enough rows are filled to tell what the column holds without its heading. */
  get isTelling(): boolean {
    return this.filled.length >= TELLING_CELLS;
  }

  /** Whether nearly every row has a value. */
  get isFull(): boolean {
    return this.rowCount > 0 && this.filled.length >= this.rowCount * MOST;
  }

  get isUnique(): boolean {
    return new Set(this.filled).size === this.filled.length;
  }

  /** Whether nearly every filled cell passes; false for an empty column. */
  mostly(looks: (cell: string) => boolean): boolean {
    return !this.isEmpty && this.filled.filter(looks).length >= this.filled.length * MOST;
  }
}

export function isTitleLike(cell: string): boolean {
  return /\p{L}{2}/u.test(cell) && !isUrl(cell);
}

/** A number of zero or more, with or without a currency; also one whose separator is ambiguous. */
export function isPriceLike(cell: string): boolean {
  const price = readPrice(cell, { currency: 'EUR', decimal: 'point' });
  return isPrice(price) || price.code !== 'invalid_price';
}

/** As `isPriceLike`, but no plain whole number, which could be any count. */
export function isMoneyLike(cell: string): boolean {
  return isPriceLike(cell) && !/^\d+$/.test(cell);
}

export function isZero(cell: string): boolean {
  return cell.includes('0') && !/[1-9]/.test(cell);
}

/** A GTIN long enough that no other number passes for it by chance. */
export function isLongGtin(cell: string): boolean {
  return (parseGtin(cell.replace(/^'/, ''))?.length ?? 0) >= 12;
}

export function isUrl(cell: string): boolean {
  return /^https?:/i.test(cell) && parseWebUrl(cell) !== null;
}

export function isImageUrl(cell: string): boolean {
  return isUrl(cell) && /\.(?:jpe?g|png|webp|gif|avif|svg)(?:[?#]|$)/i.test(cell);
}

/** Splits the addresses in one cell, however they are separated. */
export function isUrlList(cell: string): boolean {
  const parts = cell.split(/[\s,;|]+(?=https?:)/i);
  return parts.length > 1 && parts.every(isUrl);
}

export function isCurrencyCode(cell: string): boolean {
  return isCurrency(cell.toUpperCase());
}

/** A stock count: `12`, `-3`, `>20`, `10+`, `4,00`. */
export function isCount(cell: string): boolean {
  return /^[<>~-]?\s?\d{1,7}(?:[.,]0+)?\+?$/.test(cell);
}

export function isRate(cell: string): boolean {
  return /^\d{1,2}(?:[.,]\d{1,3})?\s?%?$/.test(cell);
}

export function isAvailabilityLike(cell: string): boolean {
  return /^[01]$/.test(cell) || wordOf(cell) !== null;
}

export function isYesOrNo(cell: string): boolean {
  return /^[01]$/.test(cell) || ['yes', 'no'].includes(wordOf(cell) ?? '');
}
