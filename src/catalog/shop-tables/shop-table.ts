import type { Offering } from '../../domain/catalog.ts';
import { AppError } from '../../domain/errors.ts';
import { type CsvRow, csvFinding, headColumns, openCsv } from '../bytes/csv-table.ts';
import type { FeedAttribute } from '../feeds/feed-attributes.ts';
import { externalIdOf, readFeedGroup } from '../feeds/feed-group.ts';
import { type FeedPart, type FeedValues, SPLIT_GROUP } from '../feeds/feed-records.ts';
import { type Finding, Findings } from '../record/findings.ts';
import type { CatalogFormat, CatalogRow, CatalogSource, ReaderOptions } from '../record/reader.ts';
import type { Grouped, ShopGroup } from './shop-groups.ts';
import { ShopColumns, ShopRow } from './shop-row.ts';

/** Rows examined to learn the notation of dates. */
const SAMPLE_ROWS = 500;

/** Missing variants that a message names. */
const NAMED_MAX = 5;

/**
 * A shop system's export as a table: its headings, and how a row translates into a product feed's values,
 * which one reader then checks. Headings are in lower case.
 */
export interface ShopTable<Column extends string> {
  readonly name: string;
  /** Product name for messages: `Wix`. */
  readonly system: string;
  readonly headings: Readonly<Record<Column, readonly string[]>>;
  /** Numbered columns by what they hold, such as `image1`, `image2`; the number is the first group. */
  readonly series: Readonly<Record<string, RegExp>>;
  /** Names for translated headings. */
  rename?(names: readonly string[]): readonly string[];
  /** The columns that identify the format. */
  readonly marks: readonly Column[];
  /** The column that a message about an attribute names. */
  readonly sources: Partial<Readonly<Record<FeedAttribute, Column>>>;
  /** Columns with dates, from which their notation is learned. */
  readonly dates?: readonly Column[];
  /** Assigns the rows to products: `groupByKey`, `groupByParents`. */
  group(rows: AsyncIterable<ShopRow<Column>>): AsyncIterable<Grouped<Column>>;
  /** The column that says that the row is not for sale, else null. */
  hiddenBy(row: ShopRow<Column>, isMember: boolean): Column | null;
  /** The product's own values, without those of its variants. */
  product(
    row: ShopRow<Column>,
    options: ReaderOptions,
    extras: readonly ShopRow<Column>[],
  ): FeedValues;
  /** What a variant has of its own, and what it has instead of its product, whose row is `product`. */
  member(
    row: ShopRow<Column>,
    product: ShopRow<Column>,
    options: ReaderOptions & { readonly extras: readonly ShopRow<Column>[] },
  ): FeedValues;
  /** Whether the product is a service. */
  isService?(row: ShopRow<Column>): boolean;
  /** What to tell about the file as a whole, with its first product. */
  caution?(columns: ShopColumns<Column>): Finding | null;
  /** The last part of the product's address on its site, if there is one. */
  slug?(row: ShopRow<Column>): string;
}

export function shopTableFormat<Column extends string>(table: ShopTable<Column>): CatalogFormat {
  return {
    name: table.name,
    detect(head) {
      const own = headColumns(head);
      const names = new Set(table.rename?.([...own]) ?? own);
      const found = table.marks.map((mark) => table.headings[mark].find((name) => names.has(name)));
      const marks = found.filter((name) => name !== undefined);
      return marks.length < table.marks.length ? null : `the columns ${marks.join(', ')}`;
    },
    read: (source, options) => readShopTable(table, source, options),
  };
}

async function* readShopTable<Column extends string>(
  table: ShopTable<Column>,
  source: CatalogSource,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const { rows, ...head } = await openCsv(source.bytes, options.mapping);
  const columns = new ShopColumns(
    { ...head, names: table.rename?.(head.names) ?? head.names },
    table,
  );
  const missing = table.marks.filter((mark) => !columns.has(mark));
  if (missing.length > 0) {
    const names = missing.map((mark) => table.headings[mark][0]).join(', ');
    throw new AppError(
      'invalid_input',
      `The headings lack columns of ${table.system}'s export: ${names}.`,
    );
  }
  options.onColumns?.(columns.use());
  const caution = table.caution?.(columns) ?? null;
  let isFirst = true;
  for await (const each of table.group(learnDates(rows, { table, columns }))) {
    if ('refused' in each) yield* refuse(source.name, each.refused);
    else {
      const note = isFirst ? caution : null;
      isFirst = false;
      yield* readGroup(each, { table, file: source.name, options, note });
    }
  }
}

/** The rows, once the notation of dates is known from the first of them. */
async function* learnDates<Column extends string>(
  rows: AsyncIterable<CsvRow>,
  { table, columns }: { table: ShopTable<Column>; columns: ShopColumns<Column> },
): AsyncGenerator<ShopRow<Column>> {
  const dates = table.dates ?? [];
  let sample: ShopRow<Column>[] | null = dates.length === 0 ? null : [];
  for await (const csvRow of rows) {
    const row = new ShopRow(csvRow, columns);
    if (sample === null) {
      yield row;
      continue;
    }
    sample.push(row);
    for (const column of dates) columns.days.see(row.cell(column));
    if (sample.length < SAMPLE_ROWS) continue;
    yield* sample;
    sample = null;
  }
  yield* sample ?? [];
}

function* refuse<Column extends string>(file: string, row: ShopRow<Column>): Generator<CatalogRow> {
  const findings = new Findings({ file, ...row.position, raw: row.raw([row]) });
  findings.error(row.problem === null ? SPLIT_GROUP : csvFinding(row.problem));
  for (const fault of findings.faults) yield { fault };
}

interface GroupContext<Column extends string> {
  readonly table: ShopTable<Column>;
  readonly file: string;
  readonly options: ReaderOptions;
  /** What to tell about the file as a whole. */
  readonly note: Finding | null;
}

function* readGroup<Column extends string>(
  { product, members, extras = [], missing = [] }: ShopGroup<Column>,
  { table, file, options, note }: GroupContext<Column>,
): Generator<CatalogRow> {
  if (product.problem !== null) {
    yield* refuse(file, product);
    return;
  }
  const { line, record } = product.position;
  const raw = product.raw([...new Set([product, ...members, ...extras])]);
  const findings = new Findings({ file, line, record, raw });
  const own = table.product(product, options, extras);
  const id = externalIdOf(own);
  findings.externalId = id === '' || id.length > 200 ? null : id;
  if (note !== null) findings.warning(note);
  if (missing.length > 0) {
    const names = missing.slice(0, NAMED_MAX).join(', ');
    const message = `The file lacks ${missing.length} of the product's variants: ${names}.`;
    findings.warning({ column: null, code: 'missing_variant', message });
  }
  const item = isForSale(product, table, { findings, isMember: false })
    ? readItem({ product, members, extras }, { own, table, findings, options })
    : null;
  for (const fault of findings.faults) yield { fault };
  if (item !== null) yield { item, file, line, record, raw };
}

interface ItemContext<Column extends string> {
  readonly own: FeedValues;
  readonly table: ShopTable<Column>;
  readonly findings: Findings;
  readonly options: ReaderOptions;
}

function readItem<Column extends string>(
  { product, members, extras = [] }: ShopGroup<Column>,
  { own, table, findings, options }: ItemContext<Column>,
): Offering | null {
  const sold = members.filter((row) => {
    findings.moveTo(row.position);
    return row === product || isForSale(row, table, { findings, isMember: true });
  });
  findings.moveTo(product.position);
  // A product whose variants are all hidden is hidden with them.
  if (sold.length === 0 && members.length > 0) return null;
  const group = {
    product: partOf(product, own, table),
    members: sold.map((row) =>
      partOf(row, table.member(row, product, { ...options, extras }), table),
    ),
    slug: table.slug?.(product) ?? '',
    isService: table.isService?.(product) ?? false,
  };
  return readFeedGroup(group, findings, options);
}

function isForSale<Column extends string>(
  row: ShopRow<Column>,
  table: ShopTable<Column>,
  { findings, isMember }: { findings: Findings; isMember: boolean },
): boolean {
  const column = table.hiddenBy(row, isMember);
  if (column === null) return true;
  const heading = row.heading(column);
  const message = `${heading} says that the product is not for sale; it was left out.`;
  findings.warning({ column: heading, code: 'not_published', message });
  return false;
}

function partOf<Column extends string>(
  row: ShopRow<Column>,
  values: FeedValues,
  { sources }: ShopTable<Column>,
): FeedPart {
  return {
    ...row.position,
    fields: row.fields,
    problem: row.problem === null ? null : csvFinding(row.problem),
    values,
    heading(attribute) {
      const column = sources[attribute];
      return column === undefined ? attribute : row.heading(column);
    },
  };
}

/** A short and a long description as one text; the short one may begin the long one. */
export function joinedProse(short: string, long: string): string {
  return short === '' || long.includes(short) ? long : `<p>${short}</p>${long}`;
}
