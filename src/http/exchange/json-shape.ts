/**
 * Maximum nesting of arrays and objects. Deeper values could overflow the stack of recursive code.
 */
export const DEPTH_MAX = 32;

/** The shape of JSON text, measured before it is parsed. */
export interface JsonShape {
  /** Deepest nesting; `DEPTH_MAX + 1` for anything deeper. */
  readonly depth: number;
  /** Number of items if the text is an array; null otherwise. */
  readonly items: number | null;
}

/**
 * Measures JSON text in one pass, without parsing it. Stops at more than `DEPTH_MAX` levels, and at
 * `itemsMax + 1` items. It checks nothing: text that is not JSON has a shape, too.
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
      // Skips strings, because brackets in them do not count. After an unterminated string, there
      // is nothing left to measure.
      const end = endOfString(text, at);
      if (end < 0) holdsStrings = false;
      else at = end;
    }
  }
  if (!isArray) return { depth: deepest, items: null };
  const isEmpty = commas === 0 && /^\s*\]/.test(text.slice(start + 1));
  return { depth: deepest, items: isEmpty ? 0 : commas + 1 };
}

/**
 * Index of the quotation mark that ends the string beginning at `start`; -1 if it is unterminated.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return -1;
}
