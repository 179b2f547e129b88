/** A word of a text: where it stands (UTF-16 offsets) and the form under which it is found. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

/** Longer words are machine noise (base64, hashes): they are cut to this many characters. */
const TERM_LENGTH_MAX = 64;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const CJK_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]+/gu;
const POSSESSIVE = /^['’][sS](?![\p{L}\p{N}])/u;

/**
 * The words of a text in order: lower case, without diacritics, plurals folded (see `stem`). Scripts
 * that write no blanks give overlapping pairs of characters. The possessive s is no word.
 */
export function* scanWords(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const before = text.slice(start - 1, start + 2);
    if (start > 0 && POSSESSIVE.test(before)) continue;
    if (CJK.test(match[0])) yield* scanUnspaced(match[0], start);
    else yield { start, end: start + match[0].length, term: termOf(match[0]) };
  }
}

/** The terms of a text in order, repetitions included. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const { term } of scanWords(text)) if (term !== '') terms.push(term);
  return terms;
}

/** The form under which one word is found; the same for index and question. */
export function termOf(word: string): string {
  const known = termByWord.get(word);
  if (known !== undefined) return known;
  const term = stem(fold(word)).slice(0, TERM_LENGTH_MAX);
  if (termByWord.size >= REMEMBERED_WORDS_MAX) termByWord.clear();
  if (word.length <= TERM_LENGTH_MAX) termByWord.set(word, term);
  return term;
}

/** A catalogue says the same words over and over: folding them again costs a tenth of an import. */
const REMEMBERED_WORDS_MAX = 50_000;
const termByWord = new Map<string, string>();

/** Lower case without diacritics, ligatures and full-width forms: `"Straße"` → `"strasse"`. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  return lower.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '').replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('ı', 'i');
}

/**
 * Harman's S-stemmer (1991): folds plurals and nothing else, so that no two different things become
 * one word. Words with digits and words of up to three letters stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /\d/.test(word)) return word;
  if (word.endsWith('ies') && !/[ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('es') && !/[aeo]es$/.test(word)) return word.slice(0, -1);
  return /(?:us|ss|is|[aeo]es)$/.test(word) && !/(?:ees|oes)$/.test(word) ? word : word.slice(0, -1);
}

function* scanUnspaced(run: string, offset: number): Generator<Word> {
  for (const part of run.matchAll(CJK_RUN)) {
    const start = offset + part.index;
    if (!CJK.test(part[0])) {
      yield { start, end: start + part[0].length, term: termOf(part[0]) };
      continue;
    }
    const characters = [...part[0]];
    let at = start;
    for (const [index, character] of characters.entries()) {
      const next = characters[index + 1];
      if (next !== undefined || characters.length === 1) {
        const pair = character + (next ?? '');
        yield { start: at, end: at + pair.length, term: pair.normalize('NFKC').toLowerCase() };
      }
      at += character.length;
    }
  }
}
