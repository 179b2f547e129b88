import Type, { type Static } from 'typebox';
import { PropertyMap } from '../../collections/property-map.ts';
import { priceText } from '../../domain/money.ts';
import type { ShownDocument } from '../../operations/indexes/shown-documents.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** The fourteen fields of the specification, frozen in name, type and order. */
export const ResultV2 = Type.Object({
  id: Type.String({ format: 'uuid' }),
  type: Type.Enum(['product', 'context']),
  name: Type.String(),
  description: Type.String(),
  image: Nullable(Type.String()),
  images: Type.Array(Type.String()),
  slug: Nullable(Type.String()),
  publicUrl: Nullable(Type.String()),
  publishedAt: Nullable(Type.String({ format: 'date-time' })),
  vendor: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  productType: Nullable(Type.String()),
  price: Nullable(
    Type.String({ description: 'In major units, with as many decimals as the currency has.' }),
  ),
  compareAtPrice: Nullable(Type.String()),
});
export type ResultV2 = Static<typeof ResultV2>;

/** The JSON of a result without its closing brace, written once while the document stays in memory. */
export function resultV2Start({ document }: SearchResult): Uint8Array {
  let start = startByDocument.get(document);
  if (start === undefined) {
    start = encoder.encode(`{${jsonFields(toResultV2(document))}`);
    startByDocument.set(document, start);
  }
  return start;
}

const startByDocument = new PropertyMap<ShownDocument, Uint8Array>();

const encoder = new TextEncoder();

/** An object's JSON without its braces, ready to be joined with others. */
export function jsonFields(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}

function toResultV2({ stored: { id, item }, description }: ShownDocument): ResultV2 {
  const { type, name, publicUrl, publishedAt } = item;
  if (item.type === 'context') {
    const none = { image: null, images: [], slug: null };
    const further = {
      vendor: null,
      tags: [],
      productType: null,
      price: null,
      compareAtPrice: null,
    };
    return { id, type, name, description, ...none, publicUrl, publishedAt, ...further };
  }
  const { image, images, slug, vendor, tags, productType, currency } = item;
  return {
    id,
    type,
    name,
    description,
    image,
    images: [...images],
    slug,
    publicUrl,
    publishedAt,
    vendor,
    tags: [...tags],
    productType,
    price: priceText(item.priceMinor, currency),
    compareAtPrice: priceText(item.compareAtPriceMinor, currency),
  };
}
