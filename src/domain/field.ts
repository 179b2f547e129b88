/** The searchable fields of an item: the columns of a word index, in order. */
export const FIELDS = ['name', 'type', 'vendor', 'codes', 'details', 'body'] as const;
export type Field = (typeof FIELDS)[number];
