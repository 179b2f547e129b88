import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isSlug, slugify } from '../../src/domain/organization.ts';
import { anyCharacter } from '../support/any-character.ts';

test.each([
  ['a', true],
  ['shop-1', true],
  ['a--b', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['', false],
  ['-a', false],
  ['a-', false],
  ['Shop', false],
  ['a_b', false],
  ['é', false],
  ['a\n', false],
])('isSlug(%j) is %p', (text, expected) => {
  expect(isSlug(text)).toBe(expected);
});

test.each([
  ['Café Müller & Co.', 'cafe-muller-co'],
  ['  Acme  ', 'acme'],
  ['ＡＣＭＥ', 'acme'],
  ['日本', ''],
  ['!!!', ''],
])('slugify(%j) is %j', (name, slug) => {
  expect(slugify(name)).toBe(slug);
});

test('slugify returns a valid slug or an empty string for any name', () => {
  const name = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ minLength: 60, maxLength: 90 }),
  );
  fc.assert(
    fc.property(name, (text) => {
      const slug = slugify(text);
      expect(slug === '' || isSlug(slug)).toBe(true);
    }),
  );
});
