/** 32-bit numbers of a UUID. */
export const UUID_WORDS = 4;

const DIGITS = new TextEncoder().encode('0123456789abcdef');
const HYPHEN = '-'.charCodeAt(0);
const HYPHENS = [8, 13, 18, 23] as const;
const LENGTH = 36;

/** The value of each character that is a digit, by its code; else 255. */
const VALUES = new Uint8Array(128).fill(255);
for (const [value, code] of DIGITS.entries()) VALUES[code] = value;

/** Where the two digits of each byte stand in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
/** The text that is being written: its hyphens stay. */
const written = new Uint8Array(LENGTH).fill(HYPHEN);
const decoder = new TextDecoder('latin1');

/** Writes the numbers of a UUID in lower case. False if the text is none; what was written then means nothing. */
export function writeUuid(id: string, words: Uint32Array, start: number): boolean {
  if (id.length !== LENGTH) return false;
  for (const place of HYPHENS) if (id.charCodeAt(place) !== HYPHEN) return false;
  for (let word = 0; word < UUID_WORDS; word++) {
    let number = 0;
    for (let byte = word * 4; byte < word * 4 + 4; byte++) {
      const place = PLACES[byte]!;
      const high = VALUES[id.charCodeAt(place)] ?? 255;
      const low = VALUES[id.charCodeAt(place + 1)] ?? 255;
      if (high === 255 || low === 255) return false;
      number = (number << 8) | (high << 4) | low;
    }
    words[start + word] = number;
  }
  return true;
}

/** The UUID with these numbers. */
export function readUuid(words: ArrayLike<number>, start: number): string {
  for (let byte = 0; byte < PLACES.length; byte++) {
    const value = (words[start + (byte >> 2)]! >>> (24 - (byte & 3) * 8)) & 255;
    const place = PLACES[byte]!;
    written[place] = DIGITS[value >> 4]!;
    written[place + 1] = DIGITS[value & 15]!;
  }
  return decoder.decode(written);
}
