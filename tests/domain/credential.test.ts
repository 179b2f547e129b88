import { expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { apiKeyId, makeApiKey } from '../../src/domain/api-key.ts';
import { hashCredential, matchesHash } from '../../src/domain/credential.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const zeros = (count: number) => new Uint8Array(count);
const random = (count: number) => new Uint8Array(randomBytes(count));

test('a key has the form vk_<12>_<43><6> in base62, and its id is the first part', () => {
  for (let round = 0; round < 200; round++) {
    const key = makeApiKey(random);
    expect(key).toMatch(/^vk_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(apiKeyId(key)).toBe(key.slice(3, 15));
  }
});

test('the format never changes: issued keys stay valid', () => {
  const ones = (count: number) => new Uint8Array(count).fill(255);
  expect(makeApiKey(zeros)).toBe(
    'vk_000000000000_00000000000000000000000000000000000000000001CDPBd',
  );
  expect(apiKeyId(makeApiKey(ones))).toBe(makeApiKey(ones).slice(3, 15));
});

test('the checksum detects any single changed character', () => {
  const key = makeApiKey(random);
  for (let at = 0; at < key.length; at++) {
    for (const character of `${BASE62}_-`) {
      if (character === key[at]) continue;
      expect(apiKeyId(key.slice(0, at) + character + key.slice(at + 1))).toBeNull();
    }
  }
});

test.each([
  ['empty', ''],
  ['the prefix alone', 'vk_'],
  ['a blank behind it', `${makeApiKey(zeros)} `],
  ['a line feed behind it', `${makeApiKey(zeros)}\n`],
  ['one character short', makeApiKey(zeros).slice(0, -1)],
  ['one character more', `${makeApiKey(zeros)}0`],
  ['another prefix', makeApiKey(zeros).replace('vk_', 'sk_')],
  ['full-width digits', makeApiKey(zeros).replace('0', '０')],
])('not a key: %s', (_, text) => {
  expect(apiKeyId(text)).toBeNull();
});

test('every character of id and secret is as likely as any other', () => {
  const counts = new Map<string, number>();
  const keys = 4000;
  for (let round = 0; round < keys; round++) {
    const [, id = '', rest = ''] = makeApiKey(random).split('_');
    for (const character of id + rest.slice(0, 43)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = (keys * 55) / 62;
  const chiSquare = [...BASE62].reduce(
    (sum, character) => sum + ((counts.get(character) ?? 0) - expected) ** 2 / expected,
    0,
  );
  // 61 degrees of freedom: a fair draw exceeds 140 once in ten million runs.
  expect(chiSquare).toBeLessThan(140);
});

test('among a thousand keys, no two share an id or a secret', () => {
  const keys = Array.from({ length: 1000 }, () => makeApiKey(random));
  expect(new Set(keys.map((key) => key.slice(3, 15))).size).toBe(1000);
  expect(new Set(keys.map((key) => key.slice(16, 59))).size).toBe(1000);
});

test('a stored hash is the SHA-256 of the whole key, and only that key matches it', () => {
  const key = makeApiKey(random);
  expect(Buffer.from(hashCredential(key))).toEqual(createHash('sha256').update(key).digest());
  expect(matchesHash(key, hashCredential(key))).toBe(true);
  expect(matchesHash(makeApiKey(random), hashCredential(key))).toBe(false);
});
