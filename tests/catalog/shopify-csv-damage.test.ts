import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { shopifyCsv } from '../../src/catalog/shopify/shopify-csv.ts';
import { readAll } from './read.ts';
import { file, MUG, OLD, row, SHIRT } from './shopify-file.ts';

test('chunk boundaries do not matter', async () => {
  const text = `\ufeff${file({ ...SHIRT, 'Body (HTML)': 'é\n"😀"' }, MUG)}\r\n`;
  const content = new TextEncoder().encode(text);
  const whole = await readAll(shopifyCsv, content);
  expect(whole.items.length).toBe(2);
  for (let size = 1; size <= content.length; size += 1) {
    expect(await readAll(shopifyCsv, content, { chunkBytes: size })).toEqual(whole);
  }
});

const DAMAGES: readonly ((text: string) => string)[] = [
  (text) => text.replace(',9.90', ',"9.90'),
  (text) => text.replace(',9.90', ',9.90"'.replace('9', '"x"9')),
  (text) => text.slice(0, -4),
  (text) => text.replace(',', ',,'),
  (text) => text.replace('9.90', '9.999'),
  (text) => text.replace('Mug', ''),
  (text) => text.replace('Mug', 'M\0g'),
];

test('500 damaged files: exactly the damaged rows are faults, and all others are read', async () => {
  const damage = fc.option(fc.nat(DAMAGES.length - 1), { freq: 3 });
  const rows = fc.array(fc.tuple(damage, fc.boolean()), { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 300 }), async (plan, chunkBytes) => {
      const faulty: number[] = [];
      const good: string[] = [];
      const text = [OLD.join(',')];
      let number = 2;
      for (const [index, [damaged, isLong]] of plan.entries()) {
        // A valid row between broken ones: lines after a broken quote count as its rest.
        const broken = index % 2 === 0 ? damaged : null;
        const handle = `p${index}`;
        const html = isLong && broken === null ? 'two\n"lines"' : 'one';
        const sound = row({ ...MUG, Handle: handle, 'Body (HTML)': html });
        text.push(broken === null ? sound : DAMAGES[broken]!(sound));
        if (broken === null) good.push(handle);
        else faulty.push(number);
        number += sound.split('\n').length;
      }
      const read = await readAll(shopifyCsv, text.join('\n'), { chunkBytes });
      expect(read.faults.map(({ line }) => line)).toEqual(faulty);
      expect(read.items.map(({ externalId }) => externalId)).toEqual(good);
    }),
    { numRuns: 500 },
  );
});
