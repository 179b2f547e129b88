import { isUtf8 } from 'node:buffer';
import { AppError } from '../../domain/errors.ts';
import { peekBytes } from './decompress.ts';
import { hasWesternLetters } from './western-letters.ts';

/** How much of a file says which encoding it has. Catalogues have their first umlaut far earlier. */
const EXAMINED_BYTES = 1024 * 1024;

/** Where an encoding was learned. */
export interface Encoding {
  /** A label of the WHATWG Encoding standard: `windows-1252`. */
  readonly label: string;
  readonly from: 'hint' | 'file' | 'guess';
}

/**
 * The bytes of a text as UTF-8, and the encoding they came from, null for UTF-8: what `hint` says, a
 * UTF-16 byte order mark, what an XML declaration names, or a guess (`guessEncoding`). All else passes
 * as it is: what is not UTF-8 then becomes a fault of its line. Throws `invalid_input` for an unknown label.
 */
export async function openText(
  stream: AsyncIterable<Uint8Array>,
  hint: string | null = null,
): Promise<{ encoding: Encoding | null; bytes: AsyncIterable<Uint8Array> }> {
  const { head, bytes } = await peekBytes(stream, EXAMINED_BYTES);
  const encoding = hint === null ? encodingOf(head) : ({ label: hint, from: 'hint' } as const);
  if (encoding === null) return { encoding, bytes };
  return { encoding, bytes: decoded(bytes, decoderOf(encoding.label)) };
}

async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  decoder: TextDecoder,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of bytes) {
    yield encoder.encode(decoder.decode(chunk, { stream: true }));
  }
  yield encoder.encode(decoder.decode());
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch (cause) {
    throw new AppError('invalid_input', `There is no encoding "${label}".`, { cause });
  }
}

function encodingOf(head: Uint8Array): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return { label: 'utf-16le', from: 'file' };
  if (head[0] === 0xfe && head[1] === 0xff) return { label: 'utf-16be', from: 'file' };
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return null;
  const start = new TextDecoder('latin1').decode(head.subarray(0, 256));
  const label = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? null;
  if (label !== null) return /^utf-?8$/i.test(label) ? null : { label, from: 'file' };
  const guess = guessEncoding(head);
  return guess === null ? null : { label: guess, from: 'guess' };
}

/** Bytes that no text has: controls, and the five that windows-1252 leaves undefined. */
const NOT_WESTERN = new Set([
  ...Array.from({ length: 32 }, (_, byte) => byte).filter(
    (byte) => ![0x09, 0x0a, 0x0c, 0x0d].includes(byte),
  ),
  ...[0x81, 0x8d, 0x8f, 0x90, 0x9d],
]);

/**
 * Letters outside ASCII in a row: Western words have two at most (`créée`), Cyrillic and Greek ones all.
 * Western text has longer runs here and there (`äöü`), but most of its letters stand in shorter ones.
 */
const LETTER_RUN_MAX = 2;
const FIRST_LETTER = 0xc0;

/**
 * The 8-bit encoding that a text without mark or declaration is in; null for UTF-8 and for what cannot
 * be told. A text is taken for UTF-8 unless more of its bytes outside ASCII fail as UTF-8 than there are
 * valid sequences: 8-bit text is valid by chance only (an `Ã` followed by a sign), while a damaged UTF-8
 * file is valid almost everywhere and must keep its faults. Of the 8-bit encodings only the Western ones
 * are guessed, because their letters can be told from others; the wrong one would be silent nonsense.
 * That is why this is not chardet 2.2: of five short catalogues it took a German one with euro signs for
 * windows-1257, a Polish windows-1250 one for ISO-8859-2, a Russian one for Hebrew.
 */
export function guessEncoding(head: Uint8Array): 'windows-1252' | 'iso-8859-15' | null {
  if (isUtf8(head)) return null;
  const { valid, invalid } = countSequences(head);
  if (invalid <= valid) return null;
  let run = 0;
  let letters = 0;
  let lettersInRuns = 0;
  let hasC1 = false;
  let hasEuro = false;
  for (const byte of head) {
    run = byte >= FIRST_LETTER ? run + 1 : 0;
    if (NOT_WESTERN.has(byte)) return null;
    if (run > 0) letters += 1;
    if (run > LETTER_RUN_MAX) lettersInRuns += run === LETTER_RUN_MAX + 1 ? run : 1;
    hasC1 ||= byte >= 0x80 && byte < 0xa0;
    hasEuro ||= byte === 0xa4;
  }
  if (lettersInRuns * 2 > letters || !hasWesternLetters(head)) return null;
  // In windows-1252 A4 is the sign ¤, which no catalogue has; its other signs lie below A0.
  return hasEuro && !hasC1 ? 'iso-8859-15' : 'windows-1252';
}

/** Valid UTF-8 sequences outside ASCII, and bytes that are in none; one cut off by the end is not counted. */
function countSequences(bytes: Uint8Array): { valid: number; invalid: number } {
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    if (first < 0x80) {
      at += 1;
      continue;
    }
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const sequence = bytes.subarray(at, at + length);
    if (sequence.length === length && isUtf8(sequence)) {
      valid += 1;
      at += length;
    } else {
      if (at + length <= bytes.length) invalid += 1;
      at += 1;
    }
  }
  return { valid, invalid };
}
