import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ByteBuffer } from '../../src/collections/byte-buffer.ts';
import { anyCharacter } from '../support/any-character.ts';

test('a buffer that was cleared holds what was added since, in UTF-8, whether it kept its memory or not', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 120 });
  const parts = fc.array(fc.tuple(text, fc.boolean(), fc.constantFrom(1, 1, 1, 900)));
  const buffer = new ByteBuffer();
  const letters = new Uint8Array(128).fill(1, 65, 123);
  fc.assert(
    fc.property(parts, fc.boolean(), (added, keepsMemory) => {
      buffer.clear(keepsMemory ? Number.POSITIVE_INFINITY : 100_000);
      for (const [text, isBytes, times] of added) {
        const whole = text.repeat(times);
        if (isBytes) buffer.addBytes(Buffer.from(whole));
        else if (!buffer.addPart(`«${whole}`, { from: 1, to: whole.length + 1 }, letters))
          buffer.addText(whole);
      }
      const expected = Buffer.from(added.map(([text, , times]) => text.repeat(times)).join(''));
      expect(expected.equals(buffer.view())).toBe(true);
      expect(buffer.length).toBe(expected.length);
    }),
  );
});
