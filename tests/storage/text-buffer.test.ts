import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TextPlace } from '../../src/storage/catalog/staged-items.ts';
import { TextBuffer } from '../../src/storage/catalog/text-buffer.ts';
import { anyCharacter } from '../support/any-character.ts';

/** What a place names, counted from 1 as SQL counts. */
function textAt(buffer: TextBuffer, [from, length]: TextPlace): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(
    buffer.bytes().subarray(from - 1, from - 1 + length),
  );
}

test('whatever texts are added, each is at its place in UTF-8, and they follow each other', () => {
  const texts = fc.array(fc.string({ unit: anyCharacter, maxLength: 120 }), { maxLength: 20 });
  fc.assert(
    fc.property(texts, (added) => {
      const buffer = new TextBuffer();
      const places = added.map((text) => buffer.add(text));
      expect(places.map((place) => textAt(buffer, place))).toEqual(added);
      expect(Buffer.from(buffer.bytes())).toEqual(Buffer.from(added.join('')));
    }),
  );
});

test.each(['a', 'é', '€', '😀'])('no text is cut where the buffer grows: %s', (character) => {
  const buffer = new TextBuffer();
  const texts = [10, 47, 48, 5000, 30_000, 100_000, 400_000, 1].map((length) =>
    character.repeat(length),
  );
  const places = texts.map((text) => buffer.add(text));
  for (const [at, place] of places.entries())
    expect(textAt(buffer, place) === texts[at]).toBe(true);
  expect(buffer.bytes().length).toBe(Buffer.byteLength(texts.join('')));
});
