import type { Field } from '../../domain/field.ts';
import { freeOf } from '../text/words.ts';
import type { ExcludeConstraint } from './constraints.ts';
import type { TermGroup } from './expand-terms.ts';

/**
 * What an item says of a thing that is not wanted: that it is free of it, that it clearly has it (in
 * name, type, tags or details), that its text mentions it, or nothing.
 */
export type Presence = 'free' | 'clear' | 'mentioned' | 'none';

/** Where a word says what an item is or is made of. */
const TELLING_FIELDS: ReadonlySet<Field> = new Set(['name', 'type', 'details']);

/** What has to be looked up to judge an exclusion: being free of it first, then each of its terms. */
export function exclusionGroups({ terms }: ExcludeConstraint): TermGroup[] {
  return [freeOf(terms[0]!), ...terms].map((term) => ({ term, alternatives: [term], idf: 0 }));
}

/** Pure. `fields`: where an item holds each of the `exclusionGroups`. */
export function presenceOf([free, ...terms]: readonly (readonly Field[])[]): Presence {
  if (free !== undefined && free.length > 0) return 'free';
  if (terms.length === 0 || terms.some((fields) => fields.length === 0)) return 'none';
  const isClear = terms.every((fields) => fields.some((field) => TELLING_FIELDS.has(field)));
  return isClear ? 'clear' : 'mentioned';
}
