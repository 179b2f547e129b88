import Type from 'typebox';

/** Code points of what may name an offering: the longest is an address. */
const REFERENCE_MAX = 2048;

export const OfferingReference = (description: string) =>
  Type.String({ minLength: 1, maxLength: REFERENCE_MAX, description });

/** Why nothing was found, and what to do. The caller's own text is not repeated. */
export const UNKNOWN_OFFERING =
  'This shop has no such offering. Search for it with search_offerings and pass the id of a result.';
