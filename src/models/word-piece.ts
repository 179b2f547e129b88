/**
 * The tokenizer of uncased BERT models: `BertNormalizer`, `BertPreTokenizer` and `WordPiece` of Hugging
 * Face's tokenizers in one pass. The pass stops once enough pieces are found, so that the cost does not
 * grow with the text. Names of special tokens in a text are treated as ordinary text.
 */

/** Longer words, in characters, become `[UNK]`, as they did in the model's training. */
const WORD_CHARACTERS_MAX = 100;

/** The least number of pieces of a code. */
const CODE_PIECES = 3;

/** `[CLS]` and `[SEP]`. */
const EMPTY = 2;

const CONTINUATION = '##';
const DIGIT = /^\d$/;
const WHITE_SPACE = /^[\t\n\r\p{Z}]$/u;
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]$/u;
const ACCENT = /\p{Mn}/gu;
const PUNCTUATION = /^[\p{P}!-/:-@[-`{-~]$/u;

/** CJK ideographs, each of which is a separate word; excludes kana and hangul. */
const IDEOGRAPHS: readonly (readonly [number, number])[] = [
  [0x4e00, 0x9fff],
  [0x3400, 0x4dbf],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0xf900, 0xfaff],
  [0x2f800, 0x2fa1f],
];

export interface WordPieceTokenizer {
  /**
   * The ids of the text's pieces between `[CLS]` and `[SEP]`, truncated to `lengthMax` ids in all.
   * Pure.
   */
  encode(text: string, options: ReadOptions): number[];
}

interface ReadOptions {
  readonly lengthMax: number;
  /**
   * Leaves out words with a digit that the vocabulary splits into three pieces or more, unless there are
   * no other words.
   */
  readonly skipsCodes: boolean;
}

/** `vocabulary`: one piece per line; a piece's id is its line number, from 0. */
export function wordPieceTokenizer(vocabulary: string): WordPieceTokenizer {
  const ids = new Map<string, number>();
  for (const [id, piece] of vocabulary.trimEnd().split('\n').entries()) ids.set(piece, id);
  const special = (name: string): number => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`the vocabulary has no ${name}`);
    return id;
  };
  const [first, last, unknown] = [special('[CLS]'), special('[SEP]'), special('[UNK]')];
  const read = (text: string, { lengthMax, skipsCodes }: ReadOptions) => {
    const found = [first];
    for (const word of words(text)) {
      if (found.length >= lengthMax - 1) break;
      const pieces = pieceIds(word, ids) ?? [unknown];
      if (!skipsCodes || !isCode(word, pieces)) found.push(...pieces);
    }
    found.length = Math.min(found.length, lengthMax - 1);
    return [...found, last];
  };
  return {
    encode(text, options) {
      const found = read(text, options);
      return found.length > EMPTY ? found : read(text, { ...options, skipsCodes: false });
    },
  };
}

/**
 * Lower-case words without accents; punctuation marks and ideographs are separate words. A word is
 * truncated just beyond the longest that is looked up.
 */
function* words(text: string): Generator<string[]> {
  let word: string[] = [];
  for (const character of text) {
    const alone = isIdeograph(character.codePointAt(0)!);
    if (alone || WHITE_SPACE.test(character)) {
      if (word.length > 0) yield word;
      word = [];
    }
    for (const letter of letters(character)) {
      if (PUNCTUATION.test(letter)) {
        if (word.length > 0) yield word;
        yield [letter];
        word = [];
      } else if (word.length <= WORD_CHARACTERS_MAX) word.push(letter);
    }
    if (alone && word.length > 0) {
      yield word;
      word = [];
    }
  }
  if (word.length > 0) yield word;
}

/** Normalises one character; white space, controls and accents become empty. */
function letters(character: string): string {
  const code = character.charCodeAt(0);
  if (code > 0x20 && code < 0x7f) return character.toLowerCase();
  if (WHITE_SPACE.test(character) || INVISIBLE.test(character)) return '';
  return character.normalize('NFD').replace(ACCENT, '').toLowerCase();
}

function isIdeograph(code: number): boolean {
  return code >= 0x3400 && IDEOGRAPHS.some(([from, to]) => code >= from && code <= to);
}

/** `s0722530` is a code, `500gb` and `2024` are not. */
function isCode(word: readonly string[], pieces: readonly number[]): boolean {
  return pieces.length >= CODE_PIECES && word.some((letter) => DIGIT.test(letter));
}

/** Splits a word greedily into its longest pieces; null if the vocabulary lacks one. */
function pieceIds(word: readonly string[], ids: ReadonlyMap<string, number>): number[] | null {
  if (word.length > WORD_CHARACTERS_MAX) return null;
  const found: number[] = [];
  for (let start = 0; start < word.length; ) {
    const prefix = start === 0 ? '' : CONTINUATION;
    let end = word.length;
    let id = ids.get(prefix + word.slice(start, end).join(''));
    while (id === undefined && --end > start)
      id = ids.get(prefix + word.slice(start, end).join(''));
    if (id === undefined) return null;
    found.push(id);
    start = end;
  }
  return found;
}
