import Type, { type Static } from 'typebox';
import { formatPrice } from '../domain/money.ts';
import type { SearchResult } from '../operations/search-catalog.ts';

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
  price: Nullable(Type.String({ description: 'In major units, with the digits of its currency.' })),
  compareAtPrice: Nullable(Type.String()),
});
export type ResultV2 = Static<typeof ResultV2>;

export function toResultV2({ stored: { id, item }, description }: SearchResult): ResultV2 {
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

export function priceText(minor: number | null, currency: string): string | null {
  return minor === null ? null : formatPrice(minor, currency);
}
