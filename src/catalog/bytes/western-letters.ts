/**
 * The letters outside ASCII of the languages that are written in windows-1252, in lower case, each with
 * neighbours that one catalogue may mix. Other code pages put other letters at these bytes: no Western
 * language has the mixture that Czech, Hungarian, Polish or Turkish text then seems to have.
 */
const ALPHABETS = [
  'äöüßàâæçéèêëîïôùûÿœ',
  'äöüßàèéìîòóù',
  'éèêëïáíóúöüäàâçîôûœ',
  'áéíóúüñàçèïòãâêôõ',
  'àèéìíîòóùâêôç',
  'åäöæøéüàóòôèê',
  'áéíóúýþæöð',
].map((letters) => new Set(bytesOf(letters)));

/** Share of letters that may belong to none of the languages: names and loanwords. */
const FOREIGN_SHARE_MAX = 0.05;

/** Share of letters beside which signs inside words may stand: mistakes and decorations. */
const WORD_SIGN_SHARE_MAX = 0.05;

/** Signs of windows-1252 that may stand inside words: apostrophes, soft hyphens, `n°5`, `col·legi`, ª, º. */
const INSIDE_WORDS = new Set([0x91, 0x92, 0xaa, 0xad, 0xb0, 0xb4, 0xb7, 0xba]);

/** Letters of windows-1252 below C0: Š Œ Ž š œ ž Ÿ. */
const LOW_LETTERS = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]);

/** Whether an 8-bit text, read as windows-1252, has the letters of one Western language. */
export function hasWesternLetters(text: Uint8Array): boolean {
  const counts = new Uint32Array(256);
  let letters = 0;
  let wordSigns = 0;
  for (const [index, byte] of text.entries()) {
    if (byte < 0x80) continue;
    if (isLetter(byte)) {
      letters += 1;
      counts[lowerCase(byte)]! += 1;
    } else if (byte >= 0xa1 && !INSIDE_WORDS.has(byte)) {
      const isInside = isLetterOrAscii(text[index - 1]) && isLetterOrAscii(text[index + 1]);
      if (isInside) wordSigns += 1;
    }
  }
  if (wordSigns > (letters + wordSigns) * WORD_SIGN_SHARE_MAX) return false;
  return ALPHABETS.some((alphabet) => {
    const foreign = counts.reduce((sum, count, byte) => sum + (alphabet.has(byte) ? 0 : count), 0);
    return foreign <= letters * FOREIGN_SHARE_MAX;
  });
}

function isLetter(byte: number): boolean {
  return (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || LOW_LETTERS.has(byte);
}

function isLetterOrAscii(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isLetter(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

function lowerCase(byte: number): number {
  if (byte === 0x9f) return 0xff;
  if (byte < 0xa0) return byte | 0x10;
  return byte >= 0xc0 && byte < 0xdf ? byte + 0x20 : byte;
}

function bytesOf(letters: string): number[] {
  return [...letters].map((letter) => (letter === 'œ' ? 0x9c : letter.charCodeAt(0)));
}
