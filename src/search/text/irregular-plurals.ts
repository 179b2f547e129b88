import { termOf } from './words.ts';

/**
 * Product nouns whose irregular plural `stem` does not fold, as pairs of singular and plural. `man`
 * and `men` are left out: a product for men seldom mentions a man.
 */
const PAIRS = `
calf calves, child children, dwarf dwarves, elf elves, foot feet, goose geese, half halves, hoof hooves, knife knives,
leaf leaves, loaf loaves, mouse mice, scarf scarves, shelf shelves, tooth teeth, wife wives, wolf wolves, woman women, cactus cacti
`;

const OTHER_FORMS = readPairs(PAIRS);

/**
 * The plural term of a singular or the singular term of a plural, also at the end of a compound
 * (`bookshelves`); null for a regular word.
 */
export function otherNumberOf(term: string): string | null {
  for (const [ending, other] of OTHER_FORMS)
    if (term.endsWith(ending)) return term.slice(0, -ending.length) + other;
  return null;
}

function readPairs(text: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const pair of text.trim().split(/,\s*/)) {
    const [singular, plural] = pair.split(' ').map(termOf);
    forms.set(singular!, plural!);
    forms.set(plural!, singular!);
  }
  return forms;
}
