import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { blocksOf, wholeBlocks } from '../../../src/operations/imports/json-blocks.ts';

const BLOCK_LENGTH = 16 * 1024;

test('blocks of any length from the socket become full-length blocks, with nothing lost', async () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 2 * BLOCK_LENGTH }), { maxLength: 12 });
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
      expect(blocks.slice(0, -1).every(({ length }) => length >= BLOCK_LENGTH)).toBe(true);
      expect(blocks).not.toContain('');
    }),
    { numRuns: 30 },
  );
});

test('no block exceeds 16 Ki characters plus one line, however much a socket delivers', async () => {
  const lines = fc.array(fc.integer({ min: 0, max: 3 * BLOCK_LENGTH }), {
    minLength: 1,
    maxLength: 40,
  });
  const chunk = fc.integer({ min: 1, max: 40 * BLOCK_LENGTH });
  await fc.assert(
    fc.asyncProperty(lines, chunk, async (lengths, chunkLength) => {
      const text = lengths.map((length) => `${'x'.repeat(length)}\n`).join('');
      const bytes = new TextEncoder().encode(text);
      const blocks = await Array.fromAsync(
        blocksOf(
          (async function* () {
            for (let at = 0; at < bytes.length; at += chunkLength)
              yield bytes.subarray(at, at + chunkLength);
          })(),
        ),
      );
      expect(blocks.join('') === text).toBe(true);
      for (const block of blocks) {
        expect(block.endsWith('\n')).toBe(true);
        const lastLine = block.length - block.lastIndexOf('\n', block.length - 2) - 1;
        expect(block.length - lastLine).toBeLessThan(BLOCK_LENGTH);
      }
    }),
    { numRuns: 30 },
  );
});
