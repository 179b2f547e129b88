import Type from 'typebox';

/** Maximum code points of a reference to an offering; the longest kind is a URL. */
const REFERENCE_MAX = 2048;

export const OfferingReference = (description: string) =>
  Type.String({ minLength: 1, maxLength: REFERENCE_MAX, description });

/** Why nothing was found, and what to do next. Does not repeat the caller's text. */
export const UNKNOWN_OFFERING =
  'This shop has no such offering. Search for it with search_offerings and pass the id of a result.';
