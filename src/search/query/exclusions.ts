import type { Field } from '../../domain/field.ts';
import { freeOf } from '../text/tokenizer.ts';
import type { Compounds } from './compounds.ts';
import type { ExcludeConstraint } from './constraints.ts';
import type { TermGroup } from './expand-terms.ts';

/**
 * What an item says about something excluded: it is free of it (`free`), it has it according to its
 * name, type, tags or details (`clear`), its text mentions it (`mentioned`), or nothing (`none`).
 */
export type Presence = 'free' | 'clear' | 'mentioned' | 'none';

/** Fields that say what an item is or is made of. */
const TELLING_FIELDS: ReadonlySet<Field> = new Set(['name', 'type', 'details']);

/** The groups to look up for an exclusion: the "free of" term first, then each of its terms with its forms
 * and compounds. */
export function exclusionGroups(
  { terms, otherForms }: ExcludeConstraint,
  compounds: Compounds,
): TermGroup[] {
  const groups = terms.map((term, index) => {
    const forms = [term, ...otherForms[index]!];
    const parts = forms.flatMap((form) => {
      const { kinds = [], others = [] } = compounds.get(form) ?? {};
      return [...kinds, ...others];
    });
    return { term, alternatives: [...new Set([...forms, ...parts])], idf: 0 };
  });
  const free = freeOf(terms[0]!);
  return [{ term: free, alternatives: [free], idf: 0 }, ...groups];
}

/** Pure. Takes the fields in which an item holds each of the `exclusionGroups`. */
export function presenceOf([free, ...terms]: readonly (readonly Field[])[]): Presence {
  if (free !== undefined && free.length > 0) return 'free';
  if (terms.length === 0 || terms.some((fields) => fields.length === 0)) return 'none';
  const isClear = terms.every((fields) => fields.some((field) => TELLING_FIELDS.has(field)));
  return isClear ? 'clear' : 'mentioned';
}
