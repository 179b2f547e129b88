import type { Context, Offering } from '../../../src/domain/catalog.ts';

/** An offering that says nothing but what a test says. */
export function makeOffering(given: Partial<Offering> = {}): Offering {
  return {
    type: 'product',
    kind: 'product',
    externalId: 'x',
    name: 'Thing',
    description: '',
    image: null,
    images: [],
    slug: null,
    publicUrl: null,
    publishedAt: null,
    vendor: null,
    tags: [],
    productType: null,
    currency: 'EUR',
    priceMinor: null,
    compareAtPriceMinor: null,
    availability: 'in_stock',
    sku: null,
    mpn: null,
    gtins: [],
    bookingUrl: null,
    checkoutUrl: null,
    attributes: {},
    variants: [],
    ...given,
  };
}

export function makeContext(name: string, description: string): Context {
  return {
    type: 'context',
    externalId: name,
    name,
    description,
    publicUrl: null,
    publishedAt: null,
  };
}
