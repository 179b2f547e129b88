import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TextPlace } from '../../src/storage/catalog/staged-items.ts';
import { type NumberedTexts, TextBuffer } from '../../src/storage/catalog/text-buffer.ts';
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

test('joined texts have a blank between each two, wherever the buffer grows, and none around them', () => {
  const words = ['Gießkanne', '水差し', 'w'.repeat(70_000)];
  const numbered: NumberedTexts = {
    length: (number) => words[number]!.length,
    encode: (number, bytes, to) =>
      to + new TextEncoder().encodeInto(words[number]!, bytes.subarray(to)).written,
  };
  const buffer = new TextBuffer();
  const before = buffer.add('blue');
  const place = buffer.addJoined([0, 'für', 1, 2, 2, 'x'.repeat(65_536), 0], numbered);
  const alone = buffer.addJoined([1], numbered);
  const expected = [words[0], 'für', words[1], words[2], words[2], 'x'.repeat(65_536), words[0]];
  expect(textAt(buffer, place) === expected.join(' ')).toBe(true);
  expect([textAt(buffer, before), textAt(buffer, alone)]).toEqual(['blue', words[1]!]);
});
