import { AppError } from '../../domain/errors.ts';
import { headColumns, mappedName, openCsv, peekRows } from '../bytes/csv-table.ts';
import { readXmlItems, XmlItemReader, type XmlValue } from '../bytes/xml-items.ts';
import { headingCurrency } from '../mapping/dictionary.ts';
import type { Finding } from '../record/findings.ts';
import { currencyNamed, usualDecimal } from '../record/prices.ts';
import {
  type CatalogFormat,
  type CatalogRow,
  type CatalogSource,
  columnUse,
  type FileHead,
  type ReaderOptions,
  type RecordText,
} from '../record/reader.ts';
import type { TableColumns } from '../record/table-columns.ts';
import {
  FEED_NAMES,
  type FeedAttribute,
  feedAttribute,
  feedColumns,
  feedName,
} from './feed-attributes.ts';
import type { FeedRecord } from './feed-item.ts';
import { feedRecordOfRow, readFeed } from './feed-records.ts';

/** Rows examined to determine the decimal separator. */
const SAMPLE_ROWS = 500;

/** A product feed has at least one of these, besides id and title. */
const MARKS: readonly FeedAttribute[] = [
  'price',
  'availability',
  'link',
  'image',
  'category',
  'gtin',
];

/**
 * A product feed as a table: Google Merchant Center's TSV, and any table whose columns have these names
 * or were mapped to them.
 */
export const googleTable: CatalogFormat = {
  name: 'google-tsv',
  isGeneral: true,
  detect(head) {
    const marks = feedMarks(headColumns(head));
    return marks && `the columns ${marks.join(', ')}`;
  },
  read: readFeedTable,
};

/** The columns that identify a table as a product feed; null if it is not one. */
export function feedMarks(columns: ReadonlySet<string>): string[] | null {
  const names = [...columns];
  const find = (attribute: FeedAttribute) =>
    names.find((name) => (FEED_NAMES[attribute] as readonly string[]).includes(feedName(name)));
  const id = find('id');
  const title = find('title');
  const others = MARKS.map(find).filter((name) => name !== undefined);
  return id === undefined || title === undefined || others.length === 0
    ? null
    : [id, title, ...others];
}

/** Throws `invalid_input` if the first row has no columns for id and title. */
export async function* readFeedTable(
  source: CatalogSource,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const table = await openCsv(source.bytes, options.mapping);
  const columns = feedColumns(table);
  if (!columns.has('id') || !columns.has('title')) {
    throw new AppError(
      'invalid_input',
      'The first row lacks the columns id and title: name them with --map "Heading=id".',
    );
  }
  options.onColumns?.(columns.use());
  const currency = currencyOf(columns, options);
  const { first, rows } = await peekRows(table.rows, SAMPLE_ROWS);
  const decimal = usualDecimal(first.map(({ fields }) => columns.raw(fields, 'price').trim()));
  const records = async function* () {
    for await (const row of rows) yield feedRecordOfRow(row, columns);
  };
  const reading = { ...options, currency, decimal: decimal ?? 'point' };
  yield* readFeed({ file: source.name, columns: table.columns }, records(), reading);
}

/** The currency of prices that name none: the one in the heading (`Price (USD)`), else the shop's. */
function currencyOf(
  columns: TableColumns<FeedAttribute>,
  { currency }: Pick<ReaderOptions, 'currency'>,
): string {
  const heading = columns.has('price') ? columns.heading('price') : '';
  const written = headingCurrency(heading);
  if (written === null) return currency;
  const named = currencyNamed(written, currency);
  if (named !== null) return named;
  throw new AppError(
    'invalid_input',
    `The heading "${heading}" names an ambiguous currency: write its ISO 4217 code there, such as USD.`,
  );
}

/** Google Merchant Center's RSS 2.0 or Atom 1.0. */
export const googleXml: CatalogFormat = {
  name: 'google-xml',
  detect: detectXml,
  read: (source, options) => readItems(source.name, readXmlItems(source.bytes), options),
  readRecords: readItems,
};

function detectXml({ text }: FileHead): string | null {
  const root = /<(?:[\w.-]+:)?(rss|feed|channel|RDF)[\s>]/.exec(text)?.[1];
  if (root === undefined || !/base\.google\.com\/ns\/1\.0|<g:id[\s>]/.test(text)) return null;
  const kind = root === 'feed' ? 'an Atom feed' : 'an RSS feed';
  return `${kind} with Google's attributes`;
}

async function* readItems(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const reader = new XmlItemReader();
  const elements = new Map<string, FeedAttribute | null>();
  const context = { reader, elements, shapes: new Map<string, ItemShape>(), options };
  const feedRecords = async function* () {
    for await (const text of records) yield toRecord(text, context);
  };
  yield* readFeed({ file, columns: [googleXml.name] }, feedRecords(), options);
  options.onColumns?.(columnUse(elements.keys(), (name) => elements.get(name) !== null));
}

interface ItemContext {
  readonly reader: XmlItemReader;
  readonly elements: Map<string, FeedAttribute | null>;
  readonly shapes: Map<string, ItemShape>;
  readonly options: ReaderOptions;
}

function toRecord(item: RecordText, context: ItemContext): FeedRecord {
  const values = context.reader.readItem(item);
  if ('code' in values)
    return new ItemRecord(item, { problem: values, shape: NO_SHAPE, texts: [] });
  const found = findAttributes(values, context);
  const shape = shapeOf(found, context.shapes);
  return new ItemRecord(item, { problem: null, shape, texts: found.map(({ text }) => text) });
}

/** The names of an item's texts, shared among items because thousands may wait at once. */
interface ItemShape {
  readonly attributes: readonly FeedAttribute[];
  /** The file's names for them. */
  readonly names: readonly string[];
}

const NO_SHAPE: ItemShape = { attributes: [], names: [] };

/** Most shapes that are cached; a feed has a few dozen. */
const SHAPES_MAX = 1000;

function shapeOf(found: readonly FoundAttribute[], shapes: Map<string, ItemShape>): ItemShape {
  const key = found.map(({ attribute, name }) => `${attribute} ${name}`).join('\n');
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const shape = {
    attributes: found.map(({ attribute }) => attribute),
    names: found.map(({ name }) => name),
  };
  if (shapes.size < SHAPES_MAX) shapes.set(key, shape);
  return shape;
}

class ItemRecord implements FeedRecord {
  readonly line: number;
  readonly record: number;
  readonly fields: readonly string[];
  readonly problem: Finding | null;
  readonly #shape: ItemShape;
  readonly #texts: readonly string[];

  constructor(
    { line, record, text }: RecordText,
    {
      problem,
      shape,
      texts,
    }: { problem: Finding | null; shape: ItemShape; texts: readonly string[] },
  ) {
    this.line = line;
    this.record = record;
    this.fields = [text];
    this.problem = problem;
    this.#shape = shape;
    this.#texts = texts;
  }

  raw(attribute: FeedAttribute): string {
    return this.#texts[this.#shape.attributes.indexOf(attribute)] ?? '';
  }

  list(attribute: FeedAttribute): readonly string[] {
    return this.#texts.filter((_, at) => this.#shape.attributes[at] === attribute);
  }

  heading(attribute: FeedAttribute): string {
    const at = this.#shape.attributes.indexOf(attribute);
    return this.#shape.names[at] ?? `g:${FEED_NAMES[attribute][0]}`;
  }
}

interface FoundAttribute {
  readonly attribute: FeedAttribute;
  /** The file's name for it. */
  readonly name: string;
  readonly prefix: string;
  readonly text: string;
}

/** Google's attributes override RSS's and Atom's of the same name. Other namespaces are ignored. */
function findAttributes(
  values: readonly XmlValue[],
  { elements, options }: ItemContext,
): FoundAttribute[] {
  const google = values.some(({ prefix }) => prefix === 'g')
    ? 'g'
    : (values.find(({ prefix, name }) => prefix !== '' && name === 'id')?.prefix ?? 'g');
  const found: FoundAttribute[] = [];
  const prefixes = new Map<FeedAttribute, string>();
  for (const { prefix, name: local, text: own, parts } of values) {
    const name = prefix === '' ? local : `${prefix}:${local}`;
    let attribute = google === 'g' ? elements.get(name) : undefined;
    if (attribute === undefined) {
      const mapped = mappedName(name, options.mapping);
      const isOurs = prefix === '' || prefix === google || mapped !== name.toLowerCase();
      attribute = isOurs ? elementAttribute(mapped, prefix) : null;
      elements.set(name, attribute);
    }
    if (attribute === null) continue;
    const text = attribute === 'details' ? detailOf(parts) : own;
    if (text === '') continue;
    const present = prefixes.get(attribute);
    if (present === undefined || (present === '' && prefix !== '')) prefixes.set(attribute, prefix);
    found.push({ attribute, name, prefix, text });
  }
  return found.filter(({ attribute, prefix }) => prefixes.get(attribute) === prefix);
}

/** Atom has a summary and a content where RSS has a description. */
function elementAttribute(name: string, prefix: string): FeedAttribute | null {
  const local = name.slice(name.indexOf(':') + 1);
  if (prefix === '' && (local === 'summary' || local === 'content')) return 'description';
  return feedAttribute(local);
}

function detailOf({
  section_name: section = '',
  attribute_name: name = '',
  attribute_value: value = '',
}: Readonly<Record<string, string>>): string {
  return name === '' || value === '' ? '' : `${section}:${name.replaceAll(':', ' ')}:${value}`;
}
