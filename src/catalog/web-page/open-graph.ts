import type { JsonObject } from '../record/json-fields.ts';

/** Collects what a page's `<meta property>` say about the product that the page is about. */
export class OpenGraph {
  readonly #values = new Map<string, string[]>();

  meta({ property, name, content }: Readonly<Record<string, string>>): void {
    const key = (property ?? name ?? '').toLowerCase();
    if (content === undefined || !/^(?:og|product):/.test(key)) return;
    this.#values.set(key, [...(this.#values.get(key) ?? []), content.trim()]);
  }

  get url(): string | null {
    return this.#first('og:url') || null;
  }

  /** The product as a JSON-LD node; null if the page does not say that it is about one. */
  product(): JsonObject | null {
    const price = this.#first('product:price:amount', 'og:price:amount');
    if (price === '' && !/product/i.test(this.#first('og:type'))) return null;
    const sale = this.#first('product:sale_price:amount');
    const regular = this.#first('product:original_price:amount') || (sale === '' ? '' : price);
    const node = {
      '@type': 'Product',
      name: this.#first('og:title'),
      description: this.#first('og:description'),
      url: this.url ?? '',
      image: this.#all('og:image', 'og:image:secure_url', 'og:image:url'),
      sku: this.#first('product:retailer_item_id'),
      gtin: this.#first('product:ean', 'product:upc', 'product:gtin', 'product:isbn'),
      mpn: this.#first('product:mfr_part_no'),
      brand: this.#first('product:brand', 'og:brand'),
      category: this.#first('product:category'),
      color: this.#first('product:color'),
      size: this.#first('product:size'),
      material: this.#first('product:material'),
      offers: {
        price: sale || price,
        priceCurrency: this.#first('product:price:currency', 'og:price:currency'),
        availability: this.#first('product:availability', 'og:availability'),
        priceSpecification: { priceType: 'ListPrice', price: regular },
      },
    };
    return withoutBlanks(node);
  }

  #first(...names: readonly string[]): string {
    return this.#all(...names)[0] ?? '';
  }

  #all(...names: readonly string[]): readonly string[] {
    return names.map((name) => this.#values.get(name)).find((values) => values !== undefined) ?? [];
  }
}

function withoutBlanks(node: JsonObject): JsonObject {
  const entries = Object.entries(node).flatMap(([name, value]) => {
    if (value === '') return [];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[name, isObject ? withoutBlanks(value as JsonObject) : value] as const];
  });
  return Object.fromEntries(entries);
}
