import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { accessoryTerms, nameTerms } from '../../../src/search/ranking/name.ts';
import { ENGLISH } from '../../support/english.ts';
import { namesOf } from '../../support/indexed-database.ts';
import { naiveNameSignals } from '../oracles.ts';

const words = ['rain', 'jackets', 'jacket', 'blue', 'for', 'men', '8x10', 'with', ',', 'bag'];
const name = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(' '));
const plainGroup = fc.record({
  term: fc.constantFrom('rain', 'jacket', 'blue'),
  alternatives: fc.array(fc.constantFrom('rain', 'jacket', 'blue', 'coat', 'ja*'), {
    minLength: 1,
    maxLength: 3,
  }),
  substitutes: fc.array(fc.constantFrom('bag', 'men', 'parka'), { maxLength: 2 }),
  idf: fc.constant(1),
});

const group = fc
  .tuple(plainGroup, fc.boolean())
  .map(([asked, isHost]) => (isHost ? { ...asked, isHost } : asked));

test('names stored as term numbers give the same signals as the names themselves', () => {
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 6 }),
      fc.array(group, { maxLength: 4 }),
      fc.integer({ min: -1, max: 3 }),
      (names, groups, headGroup) => {
        const accessories = accessoryTerms(ENGLISH);
        const table = namesOf(names);
        // Asked in another order, and for one of them twice.
        const documents = [...names.keys(), 0].reverse();
        expect(table.signals(documents, { groups, headGroup, accessories })).toEqual(
          documents.map((document) =>
            naiveNameSignals(nameTerms(names[document]!, ENGLISH), groups, headGroup),
          ),
        );
      },
    ),
  );
});
