/** Levels of arrays and objects inside each other: deeper ones overflow what walks them. */
export const DEPTH_MAX = 32;

/** What JSON text looks like before it is parsed. */
export interface JsonShape {
  /** Deepest nesting; `DEPTH_MAX + 1` for anything deeper. */
  readonly depth: number;
  /** Items of a batch, that is, of the array that the text is; null when it is no array. */
  readonly items: number | null;
}

/**
 * Measures JSON text in one pass, without parsing it. Stops at more than `DEPTH_MAX` levels, and at
 * `itemsMax + 1` items. Text that is not JSON has a shape too: nothing is checked.
 */
export function measureJson(text: string, itemsMax = Number.POSITIVE_INFINITY): JsonShape {
  const start = text.search(/\S/);
  const isArray = text[start] === '[';
  let depth = 0;
  let deepest = 0;
  let commas = 0;
  let holdsStrings = true;
  for (let at = Math.max(0, start); at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') {
      deepest = Math.max(deepest, ++depth);
      if (deepest > DEPTH_MAX) break;
    } else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',' && depth === 1 && isArray) {
      commas += 1;
      if (commas >= itemsMax) break;
    } else if (character === '"' && holdsStrings) {
      // Brackets in strings do not count, so each string is skipped whole. If one does not end, none after it does.
      const end = endOfString(text, at);
      if (end < 0) holdsStrings = false;
      else at = end;
    }
  }
  if (!isArray) return { depth: deepest, items: null };
  const isEmpty = commas === 0 && /^\s*\]/.test(text.slice(start + 1));
  return { depth: deepest, items: isEmpty ? 0 : commas + 1 };
}

/** The place of the quotation mark that ends the string beginning at `start`; -1 if nothing ends it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}
