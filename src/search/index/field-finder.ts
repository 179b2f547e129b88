import type { Field } from '../../domain/field.ts';
import type { TermGroup } from '../query/expand-terms.ts';
import { fieldsOfBits, type Postings } from './postings.ts';

/** For each group of a question, the fields of a document that hold it, in the order of `FIELDS`. */
export type FieldsOfGroups = readonly (readonly Field[])[];

/** The fields that documents hold the first groups in, each list of them once. */
export class KnownFields {
  readonly fields: FieldsOfGroups;
  /** By the bits of the next group's fields; null as long as there is none. */
  #next: Map<number, KnownFields> | null = null;

  constructor(fields: FieldsOfGroups = []) {
    this.fields = fields;
  }

  /** Those with one more group. */
  with(bits: number): KnownFields {
    this.#next ??= new Map();
    let next = this.#next.get(bits);
    if (next === undefined) {
      next = new KnownFields([...this.fields, fieldsOfBits(bits)]);
      this.#next.set(bits, next);
    }
    return next;
  }
}

/** Finds the fields in which documents of one index hold the groups of one question. Looks terms up once. */
export class FieldFinder {
  readonly #postings: Postings;
  /** For each group, the term numbers of its alternatives. */
  readonly #alternatives: readonly (readonly ReturnType<Postings['numbersOf']>[])[];
  readonly known: KnownFields;

  /** `known`: finders with the same groups may share it. */
  constructor(postings: Postings, groups: readonly TermGroup[], known: KnownFields) {
    this.#postings = postings;
    this.#alternatives = groups.map(({ alternatives }) =>
      alternatives.map((term) => postings.numbersOf(term)),
    );
    this.known = known;
  }

  /** The same object for all documents that hold the groups in the same fields. */
  find(document: number): FieldsOfGroups {
    let known = this.known;
    for (const numbers of this.#alternatives) {
      let bits = 0;
      for (const range of numbers) bits |= this.#postings.fieldsOf(document, range);
      known = known.with(bits);
    }
    return known.fields;
  }
}
