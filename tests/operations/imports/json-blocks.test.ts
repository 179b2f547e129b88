import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { wholeBlocks } from '../../../src/operations/imports/json-blocks.ts';

const SLICE_LENGTH = 64 * 1024;

test('blocks as the socket cuts them become blocks of full length, with nothing lost', async () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 2 * SLICE_LENGTH }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lengths, async (given) => {
      const parts = given.map((length, at) => String.fromCharCode(97 + at).repeat(length));
      const blocks = await Array.fromAsync(
        wholeBlocks(
          (async function* () {
            yield* parts;
          })(),
        ),
      );
      expect(blocks.join('') === parts.join('')).toBe(true);
      expect(blocks.slice(0, -1).every(({ length }) => length >= SLICE_LENGTH)).toBe(true);
      expect(blocks).not.toContain('');
    }),
    { numRuns: 30 },
  );
});
