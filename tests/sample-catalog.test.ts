import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { samplePicture } from '../src/assets/sample-pictures.ts';
import {
  AVAILABILITIES,
  type Availability,
  leadingAvailability,
  leadingPrice,
} from '../src/domain/catalog.ts';

interface SampleVariant {
  readonly id: string;
  readonly title: string;
  readonly sku?: string;
  readonly gtin?: string;
  readonly price?: string;
  readonly compareAtPrice?: string;
  readonly availability: Availability;
  readonly options: Readonly<Record<string, string>>;
}

interface SampleOffering {
  readonly externalId: string;
  readonly kind: 'product' | 'service';
  readonly name: string;
  readonly description: string;
  readonly image: string;
  readonly slug: string;
  readonly publicUrl: string;
  readonly publishedAt: string;
  readonly vendor: string;
  readonly tags: readonly string[];
  readonly productType: string;
  readonly price?: string;
  readonly compareAtPrice?: string;
  readonly currency: string;
  readonly availability: Availability;
  readonly sku?: string;
  readonly mpn?: string;
  readonly gtin?: string | readonly string[];
  readonly bookingUrl?: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly variants?: readonly SampleVariant[];
}

interface FrontMatter {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string;
}

interface Question {
  readonly id: string;
  readonly class: string;
  readonly question: string;
}

const SAMPLE = new URL('../src/assets/sample/', import.meta.url);
const RELEVANCE = new URL('./relevance/', import.meta.url);

const offerings = linesOf(new URL('offerings.jsonl', SAMPLE)).map(
  (line) => JSON.parse(line) as SampleOffering,
);
const contexts = readdirSync(new URL('contexts/', SAMPLE)).map((file) =>
  contextOf(readFileSync(new URL(`contexts/${file}`, SAMPLE), 'utf8')),
);
const variants = offerings.flatMap((offering) => offering.variants ?? []);

/** A shop of each kind would carry these. */
const KINDS_OF_SHOP: Readonly<Record<string, readonly string[]>> = {
  'coffee and kitchen': ['Coffee', 'Coffee Maker', 'Espresso Machine', 'Mug', 'Knife', 'Cookware'],
  'outdoor and travel': ['Jacket', 'Shoes', 'Backpack', 'Travel Bag', 'Tent', 'Sleeping Bag'],
  'home and furniture': ['Rug', 'Sofa', 'Table', 'Chair', 'Lamp', 'Bedding'],
  electronics: ['Laptop', 'Tablet', 'Case', 'Headphones', 'Charger', 'Cable', 'Memory Card'],
  'tools and hardware': ['Socket', 'Wrench', 'Screwdriver', 'Drill', 'Screws', 'Fittings'],
  'food and pets': ['Chocolate', 'Tea', 'Pasta', 'Baking Mix', 'Dog Food', 'Pet Bed'],
};

describe('sample offerings', () => {
  test('are about 300, each with the fields that a result shows', () => {
    expect(offerings.length).toBeWithin(280, 341);
    for (const offering of offerings) {
      expect(offering.externalId).toMatch(/^[a-z0-9-]{2,40}$/);
      expect(offering.name.length).toBeWithin(3, 80);
      expect(offering.description.length).toBeWithin(30, 500);
      expect(offering.tags.length).toBeGreaterThan(0);
      expect(offering.currency).toBe('EUR');
      expect(AVAILABILITIES).toContain(offering.availability);
      expect(offering.image).toBe(`pictures/${offering.slug}.svg`);
      expect(offering.publicUrl).toBe(`https://shop.example.com/products/${offering.slug}`);
      expect(new Date(offering.publishedAt).getTime()).toBeLessThan(Date.UTC(2026, 10, 1));
    }
  });

  test('have ids, slugs, names, descriptions and SKUs of their own', () => {
    expectUnique(offerings.map(({ externalId }) => externalId));
    expectUnique(offerings.map(({ slug }) => slug));
    expectUnique(offerings.map(({ name }) => name));
    expectUnique(offerings.map(({ description }) => description));
    expectUnique(variants.map(({ id }) => id));
    expectUnique([...offerings, ...variants].flatMap(({ sku }) => sku ?? []));
  });

  test('have EANs with a true check digit, from the range kept for use within a store', () => {
    const gtins = [...offerings, ...variants].flatMap(({ gtin }) => gtin ?? []);
    expect(gtins.length).toBeGreaterThan(500);
    expectUnique(gtins);
    for (const gtin of gtins) {
      expect(gtin).toMatch(/^2\d{12}$/);
      expect(checkDigit(gtin.slice(0, 12))).toBe(Number(gtin.at(-1)));
    }
  });

  test('have prices in cents, and a compare-at price only above the price', () => {
    for (const { externalId, price, compareAtPrice } of offerings) {
      if (price !== undefined) expect(price).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
      if (compareAtPrice === undefined) continue;
      expect(compareAtPrice).toMatch(/^[1-9]\d*\.\d\d$/);
      expect([externalId, minor(compareAtPrice)! > minor(price)!]).toEqual([externalId, true]);
    }
    for (const { price, compareAtPrice } of variants) {
      expect(price).toMatch(/^[1-9]\d*\.\d\d$/);
      if (compareAtPrice !== undefined)
        expect(minor(compareAtPrice)!).toBeGreaterThan(minor(price)!);
    }
    expect(offerings.filter(({ price }) => price === '0.00')).toHaveLength(1);
    expect(offerings.filter(({ price }) => price === undefined)).toHaveLength(1);
  });

  test('show the price and availability that their variants lead to', () => {
    for (const offering of offerings) {
      if (offering.variants === undefined) continue;
      const domain = offering.variants.map((variant) => ({
        ...variant,
        sku: variant.sku ?? null,
        gtin: variant.gtin ?? null,
        priceMinor: minor(variant.price),
        compareAtPriceMinor: minor(variant.compareAtPrice),
        image: null,
      }));
      expect([offering.externalId, leadingPrice(domain)]).toEqual([
        offering.externalId,
        {
          priceMinor: minor(offering.price),
          compareAtPriceMinor: minor(offering.compareAtPrice),
        },
      ]);
      expect(offering.availability).toBe(leadingAvailability(domain));
      expect(offering.variants.length).toBeGreaterThan(1);
    }
  });

  test('come from at least three kinds of shop', () => {
    const types = new Set(offerings.map(({ productType }) => productType));
    const present = Object.values(KINDS_OF_SHOP).filter((kind) =>
      kind.every((type) => types.has(type)),
    );
    expect(present.length).toBe(Object.keys(KINDS_OF_SHOP).length);
  });

  test('hold enough variants, sales, unavailable items and bookable services to try everything', () => {
    const share = (wanted: (offering: SampleOffering) => boolean): number =>
      offerings.filter(wanted).length / offerings.length;
    expect(share((offering) => offering.variants !== undefined)).toBeWithin(0.25, 0.42);
    expect(share((offering) => offering.compareAtPrice !== undefined)).toBeWithin(0.1, 0.2);
    expect(share(({ availability }) => availability === 'out_of_stock')).toBeWithin(0.04, 0.09);
    for (const availability of AVAILABILITIES) {
      expect(offerings.some((offering) => offering.availability === availability)).toBe(true);
    }
    const services = offerings.filter(({ kind }) => kind === 'service');
    expect(services.length).toBeGreaterThanOrEqual(20);
    for (const { bookingUrl } of services) {
      expect(bookingUrl).toStartWith('https://book.example.com/');
    }
    expect(offerings.some(({ gtin }) => typeof gtin === 'object')).toBe(true);
    expect(offerings.some(({ mpn }) => mpn?.startsWith('00'))).toBe(true);
  });
});

describe('sample contexts', () => {
  test('are a dozen, each with its front matter and several headings', () => {
    expect(contexts.length).toBeGreaterThanOrEqual(12);
    expectUnique([...contexts, ...offerings].map(idOf));
    for (const { front, body } of contexts) {
      expect(front.id).toMatch(/^[a-z-]+$/);
      expect(front.title).not.toBe('');
      expect(front.url).toBe(`https://shop.example.com/pages/${front.id}`);
      expect(front.publishedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(body.split(/\s+/).length).toBeWithin(120, 500);
      expect(body.match(/^## /gm)?.length ?? 0).toBeGreaterThanOrEqual(4);
    }
    expect(
      contexts.some(({ front, body }) => front.id === 'size-guide' && body.includes('| --- |')),
    ).toBe(true);
  });
});

describe('sample pictures', () => {
  test('are small, deterministic drawings without a word of the catalogue', () => {
    for (const offering of offerings) {
      const picture = samplePicture(offering);
      expect(picture.length).toBeLessThan(2_500);
      expect(samplePicture({ ...offering })).toBe(picture);
      expect(picture.replaceAll(/<\/?(svg|g|path|rect|circle|ellipse)( [^<>]*)?>/g, '')).toBe('');
      expect(picture).not.toMatch(/NaN|undefined/);
    }
    const hostile = { name: '<script>', slug: '"><script>', productType: '<b>', tags: ['<i>'] };
    expect(samplePicture(hostile)).not.toMatch(/script|<b>|<i>/);
  });

  test('know every product type of the sample, in at least twenty drawings', () => {
    const drawing = (productType: string | null): string =>
      samplePicture({ name: '', slug: 'same', productType });
    const fallback = drawing('never heard of');
    expect(drawing(null)).toBe(fallback);
    expect(drawing('constructor')).toBe(fallback);
    const types = [...new Set(offerings.map(({ productType }) => productType))];
    expect(types.filter((type) => drawing(type) === fallback)).toEqual([]);
    expect(new Set(types.map(drawing)).size).toBeGreaterThanOrEqual(20);
  });

  test('take the colour that an offering names', () => {
    const mug = { name: 'Mug', slug: 'mug', productType: 'Mug' };
    const red = samplePicture({ ...mug, attributes: { colour: 'red' } });
    expect(samplePicture({ ...mug, variants: [{ options: { Colour: 'Red' } }] })).toBe(red);
    expect(samplePicture({ ...mug, tags: ['kitchen', 'red'] })).toBe(red);
    expect(samplePicture({ ...mug, attributes: { colour: 'navy' } })).not.toBe(red);
  });
});

describe('judged questions', () => {
  const questions = linesOf(new URL('questions.jsonl', RELEVANCE)).map(
    (line) => JSON.parse(line) as Question,
  );
  const judgements = linesOf(new URL('judgements.tsv', RELEVANCE)).map((line) => line.split('\t'));

  test('are about 80 or more, in every class, each with something that answers it', () => {
    expect(questions.length).toBeGreaterThanOrEqual(80);
    expectUnique(questions.map(({ id }) => id));
    expectUnique(questions.map(({ question }) => question));
    expect(new Set(questions.map((question) => question.class)).size).toBeGreaterThanOrEqual(12);
    const answered = new Set(
      judgements.filter(([, , , grade]) => Number(grade) >= 2).map(([query]) => query),
    );
    expect(questions.filter(({ id }) => !answered.has(id))).toEqual([]);
  });

  test('judge only what the sample holds, once, from 0 to 3', () => {
    const known = new Set([...contexts, ...offerings].map(idOf));
    const asked = new Set(questions.map(({ id }) => id));
    for (const [query, zero, item, grade] of judgements) {
      expect(asked.has(query!)).toBe(true);
      expect(zero).toBe('0');
      expect([item, known.has(item!)]).toEqual([item, true]);
      expect(grade).toMatch(/^[0-3]$/);
    }
    expectUnique(judgements.map(([query, , item]) => `${query} ${item}`));
  });

  test('quote codes that the sample holds', () => {
    const codes = [...offerings, ...variants].flatMap((item) => [
      item.sku ?? [],
      item.gtin ?? [],
      'mpn' in item ? (item.mpn ?? []) : [],
    ]);
    const known = new Set(codes.flat().map(bare));
    const asked = questions.filter((question) => question.class === 'code');
    const unknown = asked.filter(({ question }) => !known.has(bare(question.replace('EAN ', ''))));
    expect(unknown).toEqual([]);
  });
});

function linesOf(url: URL): string[] {
  return readFileSync(url, 'utf8').trimEnd().split('\n');
}

function contextOf(text: string): { readonly front: FrontMatter; readonly body: string } {
  const [, front, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text)!;
  return { front: parse(front!) as FrontMatter, body: body!.trim() };
}

function idOf(item: SampleOffering | { readonly front: FrontMatter }): string {
  return 'front' in item ? item.front.id : item.externalId;
}

function minor(price: string | undefined): number | null {
  return price === undefined ? null : Number(price.replace('.', ''));
}

function checkDigit(digits: string): number {
  let sum = 0;
  for (const [index, digit] of [...digits].entries()) sum += Number(digit) * (index % 2 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

function bare(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

function expectUnique(values: readonly string[]): void {
  const repeated = values.filter((value, index) => values.indexOf(value) !== index);
  expect(repeated).toEqual([]);
}
