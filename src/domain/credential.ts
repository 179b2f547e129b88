import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The kinds of credentials, with the prefix that tells them apart in a log. */
const PREFIXES = { apiKey: 'vk', accessToken: 'va', refreshToken: 'vr', code: 'vc' } as const;

export type CredentialKind = keyof typeof PREFIXES;

/** Returns `count` random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_START = 3;
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^v[karc]_[0-9A-Za-z]{${ID_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** The id of a new credential: twelve characters that are safe to log. */
export function newCredentialId(randomBytes: RandomBytes): string {
  return base62(randomBytes(16), ID_LENGTH);
}

/**
 * A new credential `<prefix>_<id>_<secret><crc>`. The secret's 43 base62 characters hold 256 bits.
 */
export function makeCredential(kind: CredentialKind, id: string, randomBytes: RandomBytes): string {
  const body = `${PREFIXES[kind]}_${id}_${base62(randomBytes(40), SECRET_LENGTH)}`;
  return body + checksum(body);
}

/**
 * The id in a well-formed credential of that kind, else null. The checksum rejects typos and
 * guesses without a query.
 */
export function credentialId(kind: CredentialKind, text: string): string | null {
  const id = claimedId(kind, text);
  if (id === null) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body) ? id : null;
}

/** As `credentialId`, without the checksum: for text that is then compared with a hash. */
export function claimedId(kind: CredentialKind, text: string): string | null {
  const isOfKind = FORM.test(text) && text.startsWith(PREFIXES[kind]);
  return isOfKind ? text.slice(ID_START, ID_START + ID_LENGTH) : null;
}

/** The SHA-256 under which a credential is stored. */
export function hashCredential(text: string): Uint8Array {
  return new Uint8Array(sha256(text));
}

function sha256(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** Whether `text` has this `hash`; compares in constant time. */
export function matchesHash(text: string, hash: Uint8Array): boolean {
  return timingSafeEqual(sha256(text), hash);
}

/** CRC-32 of `text` as six base62 digits. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** The last `length` base62 digits of the bytes, read as one number; uniform if the bytes hold 64 bits more than the digits. */
function base62(bytes: Uint8Array, length: number): string {
  let rest = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  let digits = '';
  for (let index = 0; index < length; index++) {
    digits = ALPHABET[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}
