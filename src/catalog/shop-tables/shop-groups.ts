import { TextSet } from '../record/duplicates.ts';
import { heldBytes, RecordGroups } from '../record/record-groups.ts';
import type { ShopRow } from './shop-row.ts';

/** What a row is: a product, the product of variants, one of its variants, or nothing of its own. */
export type Place =
  | { readonly kind: 'product' | 'skip' }
  | { readonly kind: 'parent' | 'member'; readonly key: string };

/** Rows of one product. Without members, the product has no variants. */
export interface ShopGroup<Column extends string> {
  readonly product: ShopRow<Column>;
  readonly members: readonly ShopRow<Column>[];
  /** Rows that add to the product, such as images. */
  readonly extras?: readonly ShopRow<Column>[];
  /** Keys of members that the product names and the file does not have. */
  readonly missing?: readonly string[];
}

/** Rows that form no product, and why. */
interface Refused<Column extends string> {
  readonly refused: ShopRow<Column>;
}

export type Grouped<Column extends string> = ShopGroup<Column> | Refused<Column>;

/** Most rows of one product; a broken file must not collect for ever. */
const ORDERED_ROWS_MAX = 10_000;

/**
 * Groups each row that starts a product with those that follow it. `isVariant` says whether such a row is
 * a variant, which the first may be too; other rows only add to the product.
 */
export async function* groupByOrder<Column extends string>(
  rows: AsyncIterable<ShopRow<Column>>,
  {
    starts,
    isVariant,
  }: {
    starts: (row: ShopRow<Column>) => boolean;
    isVariant: (row: ShopRow<Column>) => boolean;
  },
): AsyncGenerator<Grouped<Column>> {
  let group: [ShopRow<Column>, ...ShopRow<Column>[]] | null = null;
  const taken = (all: readonly [ShopRow<Column>, ...ShopRow<Column>[]]): ShopGroup<Column> => {
    const [product] = all;
    const members = all.filter(isVariant);
    const extras = all.filter((row) => row !== product && !isVariant(row));
    return { product, members, extras };
  };
  for await (const row of rows) {
    if (row.problem !== null) yield { refused: row };
    else if (starts(row) || group === null) {
      if (group !== null) yield taken(group);
      group = [row];
    } else if (group.length < ORDERED_ROWS_MAX) group.push(row);
    else yield { refused: row };
  }
  if (group !== null) yield taken(group);
}

/** Approximate bytes of rows that wait for the product that names them as its variants. */
const HELD_MAX = 32 * 1024 * 1024;

/** Groups rows with the same key, which need not be adjacent. */
export async function* groupByKey<Column extends string>(
  rows: AsyncIterable<ShopRow<Column>>,
  placeOf: (row: ShopRow<Column>) => Place,
): AsyncGenerator<Grouped<Column>> {
  const groups = new RecordGroups<ShopRow<Column>>();
  const grouped = function* (all: readonly ShopRow<Column>[]): Generator<ShopGroup<Column>> {
    const [product = all[0]!, ...again] = all.filter((row) => placeOf(row).kind === 'parent');
    yield { product, members: all.filter((row) => placeOf(row).kind === 'member') };
    // A product given twice is reported as such, by its id.
    for (const row of again) yield { product: row, members: [] };
  };
  for await (const row of rows) {
    const place: Place = row.problem === null ? placeOf(row) : { kind: 'product' };
    if (place.kind === 'product') yield { product: row, members: [] };
    else if (place.kind === 'parent' || place.kind === 'member') {
      if (!groups.add(place.key, row)) yield { refused: row };
      for (const group of groups.overflowing()) yield* grouped(group);
    }
  }
  for (const group of groups.rest()) yield* grouped(group);
}

interface Kinship<Column extends string> {
  /** Whether the row only translates another one with the same key. */
  isTranslation(row: ShopRow<Column>): boolean;
  keyOf(row: ShopRow<Column>): string;
  /** Keys of a product's variants. */
  childrenOf(row: ShopRow<Column>): readonly string[];
}

/**
 * Groups products with the variants that they name, before or after them in the file. Every other row may
 * be such a variant, so it waits, in bounded space, until a product has named it or the file ends.
 */
export async function* groupByParents<Column extends string>(
  rows: AsyncIterable<ShopRow<Column>>,
  { isTranslation, keyOf, childrenOf }: Kinship<Column>,
): AsyncGenerator<Grouped<Column>> {
  const keys = new TextSet();
  const held = new Map<string, ShopRow<Column>>();
  const parents: ShopRow<Column>[] = [];
  let length = 0;
  const take = (product: ShopRow<Column>): ShopGroup<Column> => {
    const members: ShopRow<Column>[] = [];
    const missing: string[] = [];
    for (const key of childrenOf(product)) {
      const row = held.get(key);
      held.delete(key);
      if (row === undefined) missing.push(key);
      else members.push(row);
    }
    for (const row of members) length -= heldBytes(row.fields);
    return { product, members, missing };
  };
  for await (const row of rows) {
    keys.add(isTranslation(row) ? '' : keyOf(row));
    if (row.problem !== null) yield { refused: row };
    else if (isTranslation(row) && keys.has(keyOf(row))) continue;
    else if (childrenOf(row).length === 0) {
      const former = held.get(keyOf(row));
      if (former !== undefined) yield { product: row, members: [] };
      else {
        held.set(keyOf(row), row);
        length += heldBytes(row.fields);
      }
    } else if (childrenOf(row).every((key) => held.has(key))) yield take(row);
    else {
      parents.push(row);
      length += heldBytes(row.fields);
    }
    for (const [key, former] of length > HELD_MAX ? held : []) {
      held.delete(key);
      length -= heldBytes(former.fields);
      yield { product: former, members: [] };
      if (length <= HELD_MAX) break;
    }
  }
  for (const parent of parents) yield take(parent);
  for (const row of held.values()) yield { product: row, members: [] };
}
