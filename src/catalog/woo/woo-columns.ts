import type { ColumnUse } from '../record/reader.ts';
import { TableColumns, type TableHead } from '../record/table-columns.ts';
import { ATTRIBUTE_NAMES, ATTRIBUTE_VALUES, HEADINGS } from './woo-headings.ts';

/** Columns that plugins add to the export, at any place. */
const ADDED_HEADINGS = {
  permalink: ['permalink', 'product url', 'product permalink', 'url'],
  slug: ['slug', 'product slug', 'post name'],
} as const;

const ALL_HEADINGS = { ...HEADINGS, ...ADDED_HEADINGS };

export type WooColumn = keyof typeof ALL_HEADINGS;

const ORDER = Object.keys(HEADINGS) as (keyof typeof HEADINGS)[];

/** Columns of the export that are ignored here. */
const UNUSED: ReadonlySet<WooColumn> = new Set<WooColumn>([
  ...(['featured', 'taxStatus', 'taxClass', 'lowStock', 'shippingClass'] as const),
  ...(['downloadLimit', 'downloadExpiry', 'grouped', 'upsells', 'crossSells'] as const),
]);

/** Columns of which few other tables have three; people may export any of them. */
const DISTINCTIVE = [
  ...([
    'type',
    'regularPrice',
    'salePrice',
    'inStock',
    'published',
    'visibility',
    'parent',
  ] as const),
  ...(['featured', 'shortDescription', 'saleFrom', 'saleUntil', 'taxStatus', 'taxClass'] as const),
  ...(['backorders', 'lowStock', 'shippingClass', 'grouped', 'upsells', 'crossSells'] as const),
] as const;
const DISTINCTIVE_COUNT_MIN = 3;

const NAMES_OF_ATTRIBUTES = new Set(ATTRIBUTE_NAMES);
const VALUES_OF_ATTRIBUTES = new Set(ATTRIBUTE_VALUES);
/** In other words of the languages that share them. */
const ATTRIBUTE = /attribut|atribut|atrybut|eigenschap/;
const ATTRIBUTE_NAME = /\b(?:name|nom|nombre|nome|naam|nazwa)\b/;
const ATTRIBUTE_VALUE = /value|wert|valeur|valor|valore|valuta|waarde|warto/;

/** The columns with the name and values of one attribute. */
export interface AttributeColumns {
  readonly name: number;
  readonly values: number;
}

function wooName(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .replace(/ \?/g, '?')
    .trim();
}

/** The columns that identify a WooCommerce export; null if the table is not one. */
export function wooMarks(columns: Iterable<string>): string[] | null {
  const names = new Set([...columns].map(wooName));
  const headingOf = (column: keyof typeof HEADINGS) =>
    HEADINGS[column].find((heading) => names.has(heading));
  const id = headingOf('id') ?? headingOf('sku') ?? headingOf('type');
  const name = headingOf('name');
  const marks = DISTINCTIVE.map(headingOf).filter((mark) => mark !== undefined);
  if (id === undefined || name === undefined || marks.length < DISTINCTIVE_COUNT_MIN) return null;
  return [...new Set([id, name, ...marks.slice(0, DISTINCTIVE_COUNT_MIN)])];
}

/** The columns of one export. */
export class WooColumns extends TableColumns<WooColumn> {
  readonly attributes: readonly AttributeColumns[];
  /** Whether the headings are English, which suggests how prices are written. */
  readonly isEnglish: boolean;

  constructor(table: TableHead) {
    const names = table.names.map(wooName);
    super({ ...table, names: withPlaces(names) }, ALL_HEADINGS);
    this.isEnglish = names.includes('regular price');
    const found = new Map<string, { name: number; values: number }>();
    for (const [index, name] of names.entries()) {
      const number = /\d+/.exec(name)?.[0];
      const part = attributePart(name);
      if (number === undefined || part === null) continue;
      const columns = found.get(number) ?? { name: -1, values: -1 };
      columns[part] = index;
      found.set(number, columns);
    }
    this.attributes = [...found.values()].filter(
      ({ name, values }) => name !== -1 && values !== -1,
    );
  }

  override use(): ColumnUse {
    const others = this.attributes.flatMap(({ name, values }) => [name, values]);
    const { used, ignored } = super.use(others);
    const unused = ORDER.filter((column) => UNUSED.has(column)).map((column) =>
      this.heading(column),
    );
    return {
      used: used.filter((heading) => !unused.includes(heading)),
      ignored: [...ignored, ...used.filter((heading) => unused.includes(heading))],
    };
  }
}

/** Whether a heading is that of an attribute's name or of its values. */
function attributePart(name: string): 'name' | 'values' | null {
  const template = name.replace(/\d+/, '%d');
  if (NAMES_OF_ATTRIBUTES.has(template)) return 'name';
  if (VALUES_OF_ATTRIBUTES.has(template)) return 'values';
  if (!ATTRIBUTE.test(name)) return null;
  if (ATTRIBUTE_NAME.test(name)) return 'name';
  return ATTRIBUTE_VALUE.test(name) ? 'values' : null;
}

/**
 * Names columns in an unknown language by position: between two known columns that are as far apart as in
 * WooCommerce's export.
 */
function withPlaces(names: readonly string[]): string[] {
  const filled = [...names];
  const places = ORDER.map((column) => {
    const found = HEADINGS[column].map((heading) => names.indexOf(heading));
    return found.find((index) => index !== -1) ?? -1;
  });
  const isKnown = new Set(places);
  for (let order = 0; order < ORDER.length; order += 1) {
    if (places[order] !== -1) continue;
    const before = places.findLastIndex((place, at) => at < order && place !== -1);
    const after = places.findIndex((place, at) => at > order && place !== -1);
    if (before === -1 || after === -1) continue;
    const place = places[before]! + order - before;
    if (places[after]! - places[before]! !== after - before || isKnown.has(place)) continue;
    filled[place] = HEADINGS[ORDER[order]!][0]!;
  }
  return filled;
}
