import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const SCOPES = ['search', 'mcp', 'hits', 'landing', 'regenerate'] as const;
export type Scope = (typeof SCOPES)[number];

/** The stored record of a key, without the key itself. Times are in milliseconds since the epoch. */
export interface ApiKey {
  /** The twelve characters after `vk_`; safe to log. */
  readonly id: string;
  readonly organizationKey: number;
  readonly name: string;
  /** SHA-256 of the whole key. */
  readonly hash: Uint8Array;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** When a rotation replaced the key; it then stays valid until `expiresAt`. */
  readonly rotatedAt: number | null;
  readonly lastUsedAt: number | null;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^vk_[0-9A-Za-z]{${ID_LENGTH}}_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

/**
 * A new key `vk_<id>_<secret><crc>`. The secret's 43 base62 characters hold 256 bits. `randomBytes`
 * returns `count` random bytes.
 */
export function makeApiKey(randomBytes: (count: number) => Uint8Array): string {
  const body = `vk_${base62(randomBytes(16), ID_LENGTH)}_${base62(randomBytes(40), SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** The id in a well-formed key, else null. The checksum rejects typos and guesses without a query. */
export function apiKeyId(key: string): string | null {
  if (!FORM.test(key)) return null;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return key.slice(-CHECKSUM_LENGTH) === checksum(body) ? key.slice(3, 3 + ID_LENGTH) : null;
}

export function hashApiKey(key: string): Uint8Array {
  return new Uint8Array(hash('sha256', key, 'buffer'));
}

/** Whether `key` has this `hash`; compares in constant time. */
export function matchesHash(key: string, hash: Uint8Array): boolean {
  return timingSafeEqual(hashApiKey(key), hash);
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
