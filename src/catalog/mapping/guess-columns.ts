import type { Mapping } from '../record/reader.ts';
import {
  Cells,
  isAvailabilityLike,
  isCount,
  isCurrencyCode,
  isImageUrl,
  isLongGtin,
  isTitleLike,
  isUrl,
  isUrlList,
  isYesOrNo,
  isZero,
} from './cell-looks.ts';
import { type Meaning, meaningsOf } from './dictionary.ts';
import { guessPrices } from './guess-prices.ts';
import { type Column, Guesses, quoted } from './guesses.ts';

/** The headings of a table and its first rows. */
export interface TableSample {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface GuessedColumn {
  readonly heading: string;
  /** The name for `--map`; null if the column is left out. */
  readonly name: string | null;
  /** The first filled cells. */
  readonly samples: readonly string[];
}

/** What the columns of a table of unknown origin seem to be. */
export interface TableGuess {
  readonly columns: readonly GuessedColumn[];
  /** Why a person must look at it, a sentence each. Empty if every guess is sure. */
  readonly doubts: readonly string[];
}

/** Samples kept of each column. */
const SHOWN_CELLS = 3;

/**
 * Guesses what the columns are, from their headings in any of eleven languages and from their values. Leaves
 * alone what `given` names, `-` among the names. Null if the table does not look like a list of products: too few headings are
 * known.
 */
export function guessColumns(
  { headings, rows }: TableSample,
  given: Mapping = new Map(),
): TableGuess | null {
  const columns = headings.map((heading, index) => ({
    index,
    heading,
    meanings: meaningsOf(heading),
    cells: new Cells(rows.map((row) => row[index] ?? '')),
  }));
  const known = columns.filter(
    ({ heading, meanings }) => meanings.size > 0 || given.has(heading.toLowerCase()),
  );
  if (rows.length === 0 || known.length < 2) return null;
  const guesses = new Guesses(columns);
  for (const column of columns) {
    const name = given.get(column.heading.toLowerCase());
    if (name !== undefined) guesses.name(column, name);
  }
  guessKeys(guesses);
  guessTitle(guesses);
  guessPrices(guesses);
  guessStock(guesses);
  guessAddresses(guesses);
  guessDetails(guesses);
  for (const name of ['id', 'title'])
    if (!guesses.has(name)) guesses.doubt(`No column is surely the ${name}.`);
  return {
    columns: columns.map((column) => ({
      heading: column.heading,
      name: nameOrNull(guesses.nameOf(column)),
      samples: column.cells.filled.slice(0, SHOWN_CELLS),
    })),
    doubts: [...new Set([...guesses.doubts, ...sameHeadings(guesses)])],
  };
}

/** The name that leaves a column out. */
const LEFT_OUT = '-';

function nameOrNull(name: string | null): string | null {
  return name === LEFT_OUT ? null : name;
}

/** The guess as `--map` would give it. */
export function mappingOf({ columns }: TableGuess): Mapping {
  return new Map(
    columns.flatMap(({ heading, name }) =>
      name === null ? [] : [[heading.toLowerCase(), name] as const],
    ),
  );
}

/** The id is a column of ids, else of article numbers; it must identify each row. */
function guessKeys(guesses: Guesses): void {
  const groups = guesses.meaning('group');
  if (!guesses.has('id')) {
    const ids = guesses.meaning('id');
    const numbers = guesses.meaning('sku');
    const isKey = ({ cells }: Column) => cells.isFull && cells.isUnique;
    const [first, ...others] = ids.some(isKey) ? ids.filter(isKey) : numbers.filter(isKey);
    if (first === undefined) {
      const [repeated] = [...ids, ...numbers];
      if (repeated !== undefined) {
        guesses.name(repeated, 'id');
        guesses.doubt(`"${repeated.heading}" does not identify each row.`);
      }
    } else {
      guesses.name(first, 'id');
      if (others.length > 0) guesses.doubt(`${quoted([first, ...others])} could each be the id.`);
      const repeated = ids.filter((column) => !isKey(column) && !column.cells.isEmpty);
      if (repeated.length > 0)
        guesses.doubt(`${quoted(repeated)} repeats: do several rows describe one product?`);
    }
  }
  const [sku] = guesses.meaning('sku');
  if (sku !== undefined && !guesses.has('sku')) guesses.name(sku, 'sku');
  const [group] = groups;
  if (group === undefined || guesses.has('item_group_id') || group.cells.isEmpty) return;
  guesses.name(group, 'item_group_id');
  guesses.doubt(`"${group.heading}" seems to join rows into one product.`);
}

function guessTitle(guesses: Guesses): void {
  if (guesses.has('title')) return;
  const isTitle = ({ cells }: Column) => cells.isFull && cells.mostly(isTitleLike);
  const [title, ...others] = guesses.meaning('title').filter(isTitle);
  if (title !== undefined) {
    guesses.name(title, 'title');
    if (others.length > 0) guesses.doubt(`${quoted([title, ...others])} could each be the title.`);
    return;
  }
  const [instead] = guesses.meaning('description', 'summary').filter(isTitle);
  if (instead === undefined) return;
  guesses.name(instead, 'title');
  guesses.doubt(`No column is called a name: "${instead.heading}" could be the title.`);
}

function guessStock(guesses: Guesses): void {
  const hasWords = ({ cells }: Column) => cells.mostly(isAvailabilityLike);
  for (const column of guesses.meaning('status')) {
    if (column.cells.isEmpty) continue;
    if (column.cells.mostly(isYesOrNo)) guesses.name(column, 'visible');
    else if (hasWords(column) && !guesses.has('availability')) guesses.name(column, 'availability');
    else guesses.doubt(`"${column.heading}" might say which products are hidden.`);
  }
  for (const column of guesses.meaning('visible')) {
    if (column.cells.isEmpty || guesses.has('visible')) continue;
    if (column.cells.mostly(isYesOrNo)) guesses.name(column, 'visible');
    else guesses.doubt(`"${column.heading}" might say which products are hidden.`);
  }
  for (const column of guesses.meaning('availability')) {
    if (column.cells.isEmpty || guesses.has('availability')) continue;
    if (hasWords(column)) guesses.name(column, 'availability');
    else if (column.cells.mostly(isCount)) guessQuantity(column, guesses);
    else guesses.doubt(`"${column.heading}" has values of unknown meaning.`);
  }
  for (const column of guesses.meaning('quantity')) {
    if (column.cells.isEmpty || guesses.has('quantity')) continue;
    if (column.cells.mostly(isCount)) guessQuantity(column, guesses);
    else if (hasWords(column) && !guesses.has('availability')) guesses.name(column, 'availability');
  }
}

/** A shop that does not count its stock often exports 0 everywhere, which would sell out all of it. */
function guessQuantity(column: Column, guesses: Guesses): void {
  if (guesses.has('quantity')) return;
  guesses.name(column, 'quantity');
  if (column.cells.mostly(isZero))
    guesses.doubt(`"${column.heading}" is 0 almost everywhere: is everything sold out?`);
}

function guessAddresses(guesses: Guesses): void {
  const isPicture = ({ cells }: Column) => cells.mostly((cell) => isUrl(cell) || isUrlList(cell));
  const isPlainPicture = ({ cells }: Column) => cells.isTelling && cells.mostly(isImageUrl);
  for (const column of guesses.meaning('image', 'images').filter(isPicture)) {
    const isList = column.meanings.has('images') || column.cells.filled.some(isUrlList);
    const name = isList ? 'images' : 'image';
    if (!guesses.has(name)) guesses.name(column, name);
  }
  if (!guesses.has('image') && !guesses.has('images')) {
    const unnamed = guesses.columns.filter(
      (column) => !guesses.isNamed(column) && isPlainPicture(column),
    );
    if (unnamed.length === 1) guesses.name(unnamed[0]!, 'image');
  }
  const links = guesses
    .meaning('link')
    .filter(({ cells }) => cells.mostly((cell) => isUrl(cell) && !isImageUrl(cell)));
  if (links.length > 0 && !guesses.has('link')) guesses.name(links[0]!, 'link');
}

/** Columns that only add to a product: a wrong one would be seen, and none is needed. */
const DETAILS: readonly (readonly [Meaning, string])[] = [
  ['description', 'description'],
  ['summary', 'description'],
  ['brand', 'brand'],
  ['mpn', 'mpn'],
  ['category', 'product_type'],
  ['tags', 'tags'],
  ['color', 'color'],
  ['size', 'size'],
  ['material', 'material'],
];

function guessDetails(guesses: Guesses): void {
  for (const [meaning, name] of DETAILS) {
    const [column] = guesses.meaning(meaning).filter(({ cells }) => !cells.isEmpty);
    if (column !== undefined && !guesses.has(name)) guesses.name(column, name);
  }
  if (!guesses.has('gtin')) {
    const called = guesses.meaning('gtin').filter(({ cells }) => !cells.isEmpty);
    const seen = guesses.columns.filter(
      (column) =>
        !guesses.isNamed(column) && column.cells.isTelling && column.cells.mostly(isLongGtin),
    );
    const [gtin] = called.length > 0 ? called : seen;
    if (gtin !== undefined) guesses.name(gtin, 'gtin');
  }
  const [currency] = guesses.meaning('currency').filter(({ cells }) => !cells.isEmpty);
  if (currency === undefined || guesses.has('currency')) return;
  guesses.name(currency, 'currency');
  if (!currency.cells.mostly(isCurrencyCode))
    guesses.doubt(`"${currency.heading}" holds more than currency codes such as EUR.`);
}

/** `--map` names a heading, so it cannot tell two columns of the same heading apart. */
function sameHeadings(guesses: Guesses): string[] {
  const lower = guesses.columns.map(({ heading }) => heading.toLowerCase());
  return guesses.columns
    .filter(
      (column, index) =>
        guesses.isNamed(column) &&
        lower.indexOf(lower[index]!) !== lower.lastIndexOf(lower[index]!),
    )
    .map(({ heading }) => `Two columns are called "${heading}": give them different headings.`);
}
