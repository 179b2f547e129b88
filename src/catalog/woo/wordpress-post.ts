import type { XmlValue } from '../bytes/xml-items.ts';
import type { FeedAttribute } from '../feeds/feed-attributes.ts';
import type { FeedValues } from '../feeds/feed-records.ts';

/** What WooCommerce calls the values that messages name. */
const SOURCES: Partial<Record<FeedAttribute, string>> = {
  id: 'wp:post_id',
  title: 'title',
  description: 'content:encoded',
  link: 'link',
  price: '_regular_price',
  salePrice: '_sale_price',
  saleFrom: '_sale_price_dates_from',
  saleUntil: '_sale_price_dates_to',
  gtin: '_global_unique_id',
  image: '_thumbnail_id',
  images: '_product_image_gallery',
};

export function headingOf(attribute: FeedAttribute): string {
  return SOURCES[attribute] ?? attribute;
}

/** A product or variation of WooCommerce as WordPress stores it: a post with terms and meta values. */
export class WordPressPost {
  readonly #elements: readonly XmlValue[];
  readonly #meta: ReadonlyMap<string, string>;
  readonly #images: ReadonlyMap<string, string>;

  /** `images` has the addresses of images by the ids of their posts. */
  constructor(elements: readonly XmlValue[], images: ReadonlyMap<string, string>) {
    this.#elements = elements;
    this.#images = images;
    this.#meta = new Map(
      elements
        .filter(({ name }) => name === 'postmeta')
        .map(({ parts }) => [parts['meta_key']?.trim() ?? '', parts['meta_value'] ?? '']),
    );
  }

  get isPublished(): boolean {
    const hidden = this.#terms('product_visibility').map(
      ({ attributes }) => attributes['nicename'],
    );
    const isHidden =
      hidden.includes('exclude-from-catalog') && hidden.includes('exclude-from-search');
    const isOpen = this.#text('wp', 'post_password') === '';
    return this.#text('wp', 'status') === 'publish' && isOpen && !isHidden;
  }

  get slug(): string {
    return this.#text('wp', 'post_name');
  }

  product(): FeedValues {
    const short = this.#text('excerpt', 'encoded');
    const long = this.#text('content', 'encoded');
    const categories = this.#terms('product_cat').map(({ text }) => text);
    const gallery = (this.#meta.get('_product_image_gallery') ?? '').split(',');
    return {
      ...this.#own(),
      title: this.#text('', 'title'),
      description: short === '' || long.includes(short) ? long : `<p>${short}</p>${long}`,
      link: this.#text('', 'link'),
      images: gallery.map((id) => this.#images.get(id.trim()) ?? ''),
      brand: this.#terms('product_brand')[0]?.text ?? '',
      productType: categories[0] ?? '',
      category: categories.join(', '),
      tags: this.#terms('product_tag').map(({ text }) => text),
      details: this.#details(),
    };
  }

  variation(product: WordPressPost): FeedValues {
    const names = product.#attributeNames();
    const options = [...this.#meta].flatMap(([key, value]) => {
      const name = /^attribute_(.+)$/.exec(key)?.[1];
      if (name === undefined || value === '') return [];
      const term = product.#terms(name).find(({ attributes }) => attributes['nicename'] === value);
      return [`${names.get(name) ?? labelOf(name)}:${term?.text ?? value}`];
    });
    return { ...this.#own(), title: this.#text('', 'title'), options };
  }

  #own(): FeedValues {
    return {
      id: this.#text('wp', 'post_id'),
      sku: this.#meta.get('_sku') ?? '',
      gtin: this.#meta.get('_global_unique_id') ?? '',
      image: this.#images.get(this.#meta.get('_thumbnail_id') ?? '') ?? '',
      price: this.#meta.get('_regular_price') || this.#meta.get('_price') || '',
      salePrice: this.#meta.get('_sale_price') ?? '',
      saleFrom: momentOf(this.#meta.get('_sale_price_dates_from') ?? ''),
      saleUntil: momentOf(this.#meta.get('_sale_price_dates_to') ?? ''),
      availability: AVAILABILITIES[this.#meta.get('_stock_status') ?? ''] ?? '',
    };
  }

  #text(prefix: string, name: string): string {
    return this.#elements.find((each) => each.prefix === prefix && each.name === name)?.text ?? '';
  }

  #terms(domain: string): XmlValue[] {
    return this.#elements.filter(
      ({ prefix, name, attributes }) =>
        prefix === '' && name === 'category' && attributes['domain'] === domain,
    );
  }

  /** Shared attributes by their terms, and the product's own ones. */
  #details(): string[] {
    const domains = new Set(this.#elements.map(({ attributes }) => attributes['domain'] ?? ''));
    const shared = [...domains]
      .filter((domain) => domain.startsWith('pa_'))
      .map((domain) => {
        const values = this.#terms(domain).map(({ text }) => text);
        return `:${labelOf(domain)}:${values.join(', ')}`;
      });
    const own = this.#attributes().filter(({ value }) => value !== '');
    return [
      ...shared,
      ...own.map(({ name, value }) => `:${name}:${value.replaceAll(' | ', ', ')}`),
    ];
  }

  #attributeNames(): Map<string, string> {
    const named = this.#attributes().filter(({ name }) => !name.startsWith('pa_'));
    return new Map(named.map(({ key, name }) => [key, name]));
  }

  /** The attributes in PHP's serialized array: key, name and, unless they are terms, values. */
  #attributes(): { key: string; name: string; value: string }[] {
    const text = this.#meta.get('_product_attributes') ?? '';
    const pattern =
      /s:\d+:"([^"]*)";a:\d+:\{s:4:"name";s:\d+:"([^"]*)";s:5:"value";s:\d+:"([^"]*)";/g;
    return [...text.matchAll(pattern)].map(([, key = '', name = '', value = '']) => ({
      key,
      name: name.replaceAll(':', ' '),
      value,
    }));
  }
}

const AVAILABILITIES: Readonly<Record<string, string>> = {
  instock: 'in_stock',
  outofstock: 'out_of_stock',
  onbackorder: 'backorder',
};

/** A Unix time in seconds as an instant; unchanged if it is none. */
function momentOf(text: string): string {
  return /^\d{9,11}$/.test(text) ? new Date(Number(text) * 1000).toISOString() : text;
}

/** `pa_frame-color` → `Frame color`. */
function labelOf(name: string): string {
  const words = name.replace(/^pa_/, '').replace(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
