import { describe, expect, test } from 'bun:test';
import { accessoryTerms, type NameSignals } from '../../../src/search/ranking/name.ts';
import { languageOf } from '../../../src/search/text/language.ts';
import { ENGLISH } from '../../support/english.ts';
import { namesOf } from '../../support/indexed-database.ts';

/** The signals of a name for a question whose last word names what is asked for. */
function signalsOf(name: string, question: string, language = ENGLISH): NameSignals {
  const terms = language.termsOf(question);
  const groups = terms.map((term) => ({ term, alternatives: [term], idf: 1 }));
  return namesOf([name], language).signals([0], {
    groups,
    headGroup: groups.length - 1,
    accessories: accessoryTerms(language),
  })[0]!;
}

describe('what is made for a product is told from the product', () => {
  test.each<[string, string, boolean]>([
    ['laptop', 'Aldwin Note 14 Laptop', false],
    ['laptop', 'Felt Laptop Sleeve 14"', true],
    ['laptop', 'Laptop 16 inch Padded Sleeve', true],
    ['tablet', 'Folio Case for Slate 11 Tablet', true],
    ['tablet', 'Slate 11 Tablet with Case', false],
    ['label printer', 'Tacker Label Printer', false],
    ['label printer', 'Printer Labels, roll of 500', true],
    ['toner', 'Toner Cartridge T17 Black', false],
    ['toner', 'Toner Collector Unit M102', true],
    ['sleeve', 'Felt Laptop Sleeve 14"', false],
    ['micro sd card', 'Micro SD Card + Adapter', false],
    ['coffee', 'Steel Lamp', false],
  ])('%s: %s %p', (question, name, isAccessory) => {
    expect(signalsOf(name, question).isAccessory).toBe(isAccessory);
  });
});

test.each([
  ['Socket Set, 46 pieces', 'socket'],
  ['Toner Cartridge T17 Black', 'toner'],
  ['Espresso Cup Set of 4', 'cup'],
])('the form in which a product comes is not its noun: %s is a %s', (name, noun) => {
  expect(signalsOf(name, noun).head).toBe(1);
});

describe('in a language whose nouns come first, the first noun says what a name is', () => {
  test.each<[string, string, string, Partial<NameSignals>]>([
    ['fr', 'Veste imperméable femme Aravis', 'veste', { head: 1 }],
    ['fr', 'Veste imperméable femme Aravis', 'imperméables', { head: 0.75 }],
    ['fr', 'Veste imperméable femme Aravis', 'femme', { head: 0 }],
    ['fr', 'Moufles enfant imperméables', 'imperméables', { head: 0 }],
    ['fr', 'Lot de trois petites casseroles', 'casserole', { head: 1 }],
    ['fr', 'Housse ordinateur portable 15 pouces', 'ordinateur', { isAccessory: true }],
    ['fr', 'Ordinateur portable avec housse', 'ordinateur', { isAccessory: false }],
    ['es', 'Juego de cuatro tazas de gres', 'taza', { head: 1 }],
    ['it', 'Nuova giacca a vento', 'giacca', { head: 1 }],
    ['it', 'Set', 'set', { head: 1 }],
    ['de', 'Blaue Jacke', 'Jacke', { head: 1 }],
  ])('%s: %s, asked for %s', (code, name, question, expected) => {
    expect(signalsOf(name, question, languageOf(code))).toMatchObject(expected);
  });
});
