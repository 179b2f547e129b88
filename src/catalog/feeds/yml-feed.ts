import { readXmlItems, XmlItemReader, type XmlValue } from '../bytes/xml-items.ts';
import {
  type CatalogFormat,
  type CatalogRow,
  columnUse,
  type ReaderOptions,
  type RecordText,
} from '../record/reader.ts';
import type { FeedAttribute } from './feed-attributes.ts';
import type { FeedRecord } from './feed-item.ts';
import { type FeedValues, feedRecordOfPart, readFeed } from './feed-records.ts';

/** Most categories that are remembered. */
const CATEGORY_COUNT_MAX = 200_000;
/** Deepest path of categories. */
const PATH_LENGTH_MAX = 20;

/** Elements of an offer by the attribute that they hold; several names are alternatives, in this order. */
const ELEMENTS: Partial<Record<FeedAttribute, readonly string[]>> = {
  title: ['name', 'title', 'name_ua'],
  description: ['description', 'description_ua'],
  link: ['url'],
  price: ['price'],
  salePrice: ['price_promo'],
  compareAtPrice: ['oldprice', 'old_price', 'price_old'],
  brand: ['vendor'],
  mpn: ['vendorcode', 'article'],
  gtin: ['barcode'],
};

/** Elements that are read in another way. */
const OTHER_ELEMENTS = [
  ...['picture', 'param', 'currencyid', 'categoryid', 'category', 'typeprefix', 'model'],
  ...['count', 'stock_quantity', 'quantity', 'quantity_in_stock', 'country_of_origin'],
];

const USED = new Set([...Object.values(ELEMENTS).flat(), ...OTHER_ELEMENTS]);

/** Parameters in which variants differ, in Russian, Ukrainian and English. */
const OPTION_NAMES: readonly (readonly [FeedAttribute, RegExp])[] = [
  ['color', /^(?:цвет|колір|colou?r)(?:\s|$)/i],
  ['size', /^(?:размер|розмір|size)(?:\s|$)/i],
  ['material', /^(?:материал|матеріал|material)(?:\s|$)/i],
];

/** Codes that ISO 4217 has withdrawn or never had. */
const CURRENCIES: Readonly<Record<string, string>> = { RUR: 'RUB', BYR: 'BYN' };

/** Yandex Market Language, also as Rozetka, Prom and Hotline take it. */
export const ymlFeed: CatalogFormat = {
  name: 'yml',
  detect: ({ text }) => (/<yml_catalog[\s>]/.test(text) ? 'the element yml_catalog' : null),
  read: (source, options) =>
    readOffers(source.name, readXmlItems(source.bytes, ['category', 'offer']), options),
  readRecords: readOffers,
};

async function* readOffers(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const reader = new XmlItemReader();
  const categories = new Categories();
  const names = new Set<string>();
  const offers = async function* () {
    let record = 0;
    for await (const item of records) {
      if (/^<(?:\w+:)?category/.test(item.text)) {
        categories.add(reader.read(`<categories>${item.text}</categories>`)?.[0]);
        continue;
      }
      record += 1;
      yield readOffer({ ...item, record }, { reader, categories, names, options });
    }
  };
  yield* readFeed({ file, columns: [ymlFeed.name] }, offers(), options);
  options.onColumns?.(columnUse(names, (name) => USED.has(name.toLowerCase())));
}

interface OfferContext {
  readonly reader: XmlItemReader;
  readonly categories: Categories;
  /** Collects the names of elements. */
  readonly names: Set<string>;
  readonly options: ReaderOptions;
}

function readOffer(
  item: RecordText,
  { reader, categories, names, options }: OfferContext,
): FeedRecord {
  const { line, record, text } = item;
  const position = { line, record, heading: headingOf };
  const found = reader.readItem(item);
  if ('code' in found)
    return feedRecordOfPart({ ...position, fields: [text], problem: found, values: {} });
  const offer = new Offer(reader.attributes, found, options);
  for (const { name } of found) names.add(name);
  const path = offer.text('category') || categories.pathOf(offer.text('categoryid'));
  return feedRecordOfPart({
    ...position,
    fields: [withCategory(text, path)],
    problem: null,
    values: { ...offer.values(), productType: path },
  });
}

/** An offer names its category by a number; a corrected record must not lose it. */
function withCategory(text: string, path: string): string {
  if (path === '' || /<category[\s>]/.test(text)) return text;
  const escaped = path.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return text.replace(/(?=<\/(?:[\w.-]+:)?offer\s*>\s*$)/, `<category>${escaped}</category>`);
}

function headingOf(attribute: FeedAttribute): string {
  return ELEMENTS[attribute]?.[0] ?? attribute;
}

/** One offer's elements and attributes. */
class Offer {
  readonly #attributes: Readonly<Record<string, string>>;
  readonly #elements: readonly XmlValue[];
  readonly #options: ReaderOptions;

  constructor(
    attributes: Readonly<Record<string, string>>,
    elements: readonly XmlValue[],
    options: ReaderOptions,
  ) {
    this.#attributes = attributes;
    this.#elements = elements;
    this.#options = options;
  }

  /** The first element with the name, in any case; the caller may have mapped another one to it. */
  text(name: string): string {
    return this.#all(name)[0]?.text ?? '';
  }

  values(): FeedValues {
    const { id = '', group_id: group = '', disabled = '' } = this.#attributes;
    const [image = '', ...images] = this.#all('picture')
      .flatMap(({ text }) => text.split(/\s*\|\s*|\s+(?=https?:)/))
      .filter((url) => url !== '');
    const named = Object.entries(ELEMENTS).map(
      ([attribute, names]) =>
        [attribute, names.map((name) => this.text(name)).find(Boolean) ?? ''] as const,
    );
    const currency = this.text('currencyid').toUpperCase();
    return {
      ...Object.fromEntries(named),
      id,
      group,
      title: this.#title(),
      image,
      images,
      currency: CURRENCIES[currency] ?? currency,
      gtin: this.text('barcode').split(/[,;\s]/, 1),
      availability: this.#availability(),
      searchable: disabled === 'true' ? 'false' : '',
      ...this.#parameters(),
    };
  }

  #all(name: string): XmlValue[] {
    const { mapping } = this.#options;
    return this.#elements.filter((element) => {
      const own = element.name.toLowerCase();
      return (mapping?.get(own) ?? own) === name;
    });
  }

  /** Offers of the type `vendor.model` have no name. */
  #title(): string {
    const named = ELEMENTS.title!.map((name) => this.text(name)).find(Boolean);
    const parts = ['typeprefix', 'vendor', 'model'].map((name) => this.text(name));
    return named ?? parts.filter((part) => part !== '').join(' ');
  }

  #availability(): string {
    // Some feeds spell the attribute with a Cyrillic letter.
    const stated = Object.entries(this.#attributes).find(([name]) => /^[aа]vailable$/.test(name));
    if (stated?.[1] === 'false') return 'out_of_stock';
    const counts = ['stock_quantity', 'quantity_in_stock', 'quantity', 'count'];
    const count = counts.map((name) => this.text(name)).find(Boolean);
    if (count !== undefined && /^-?\d+$/.test(count))
      return Number(count) > 0 ? 'in_stock' : 'out_of_stock';
    return stated?.[1] === 'true' ? 'in_stock' : '';
  }

  #parameters(): FeedValues {
    const values: Record<string, string> = {};
    const details: string[] = [];
    for (const { attributes, text } of this.#all('param')) {
      const { name = '', unit = '' } = attributes;
      const option = OPTION_NAMES.find(([, pattern]) => pattern.test(name))?.[0];
      if (option !== undefined) values[option] ??= text;
      else details.push(`:${name.replaceAll(':', ' ')}:${`${text} ${unit}`.trim()}`);
    }
    const country = this.text('country_of_origin');
    return { ...values, details: country === '' ? details : [...details, `:country:${country}`] };
  }
}

class Categories {
  readonly #byId = new Map<string, { name: string; parent: string }>();

  add(category: XmlValue | undefined): void {
    const { id, parentId: parent = '' } = category?.attributes ?? {};
    if (category === undefined || id === undefined || this.#byId.size >= CATEGORY_COUNT_MAX) return;
    this.#byId.set(id, { name: category.text, parent });
  }

  /** `Tools > Axes`; `''` if the category is unknown. */
  pathOf(id: string): string {
    const path: string[] = [];
    let category = this.#byId.get(id);
    while (category !== undefined && path.length < PATH_LENGTH_MAX) {
      path.unshift(category.name);
      category = this.#byId.get(category.parent);
    }
    return path.join(' > ');
  }
}
