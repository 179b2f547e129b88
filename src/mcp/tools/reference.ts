import Type from 'typebox';

/** Maximum code points of a reference to an offering; the longest kind is a URL. */
const REFERENCE_MAX = 2048;

export const OfferingReference = (description: string) =>
  Type.String({ minLength: 1, maxLength: REFERENCE_MAX, description });
