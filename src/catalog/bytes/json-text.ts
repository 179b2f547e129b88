import type { Finding, Findings } from '../record/findings.ts';
import { hasForbiddenText, isJsonObject, type JsonObject } from '../record/json-fields.ts';

/** Deepest nesting of objects and lists that is parsed. */
const DEPTH_MAX = 32;

const UNREADABLE: Readonly<Record<string, string>> = {
  invalid_utf8: 'The record is not UTF-8.',
  line_too_long: 'The record is longer than 10 MiB.',
  invalid_json: 'The record is not JSON.',
  too_deep: `The record nests objects and lists more than ${DEPTH_MAX} levels deep.`,
  forbidden_text: 'The record contains a NUL or an unpaired surrogate.',
  wrong_type: 'The record is JSON but not an object.',
};

/** Parses a record as an object; null with the reason in `findings`. */
export function parseRecord(
  { text, problem }: { readonly text: string; readonly problem: string | null },
  findings: Findings,
): JsonObject | null {
  const { code, value } = problem === null ? parseJson(text) : { code: problem, value: null };
  if (code === null && isJsonObject(value)) return value;
  findings.error(unreadable(code ?? 'wrong_type'));
  return null;
}

function unreadable(code: string): Finding {
  return { column: null, code, message: UNREADABLE[code] ?? 'The record cannot be read.' };
}

/**
 * `\u0000` and escaped surrogates. Few lines have any, so that the full check seldom runs.
 */
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** The value of a JSON text, or the code of its fault. */
export function parseJson(text: string): { code: string | null; value: unknown } {
  if (text.includes('\0')) return { code: 'forbidden_text', value: null };
  if (isDeeperThan(DEPTH_MAX, text)) return { code: 'too_deep', value: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: 'invalid_json', value: null };
  }
  if (SUSPECT_ESCAPE.test(text) && hasForbiddenText(value)) {
    return { code: 'forbidden_text', value: null };
  }
  return { code: null, value };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether brackets outside strings nest deeper than `max`. Exact for valid JSON; other text fails to
 * parse anyway.
 */
function isDeeperThan(max: number, text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** Index of the quote that closes the string opened at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
