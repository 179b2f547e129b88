import { type Availability, comparable, isAvailable, type Offering } from '../../domain/catalog.ts';
import { truncateWords } from '../../domain/text.ts';
import { optionsOf, optionValues, variantName } from '../../domain/variants.ts';
import type { Translator } from '../../messages/translator.ts';
import { type Linked, productUrl, variantUrl } from '../../operations/offerings/offering-links.ts';
import { fenced } from './catalogue-text.ts';
import { offeringLine } from './offering-text.ts';
import { type Priced, purchasable } from './ucp-request.ts';

/** Code points of a description in a list and in the detail of one product. */
const DESCRIPTION_MAX = 300;
export const DETAIL_MAX = 5000;

/** Pictures, tags, variants and values of an option. */
const MEDIA_MAX = 10;
const TAGS_MAX = 30;
const VARIANTS_MAX = 10;
const VALUES_MAX = 30;

/** An offering as an answer shows it. */
export interface ProductSource {
  readonly id: string;
  readonly shop: Linked['shop'];
  readonly offering: Omit<Offering, 'attributes'>;
  /** The featured one first; at least one. */
  readonly variants: readonly Priced[];
}

/** A product of the Universal Commerce Protocol. Amounts are in minor units. */
export function ucpProduct(
  source: ProductSource,
  domains: readonly string[],
  descriptionMax = DESCRIPTION_MAX,
) {
  const { id, shop, offering, variants } = source;
  const { name, slug, description, productType, images, image, tags, vendor, currency } = offering;
  const page = productUrl(source, domains);
  const pictures = [...new Set([...(image === null ? [] : [image]), ...images])];
  const amounts = purchasable(offering).map(({ priceMinor }) => priceMinor);
  const options = offering.variants.length > 1 ? optionsOf(offering.variants) : [];
  return {
    id,
    ...(slug !== null && { handle: slug }),
    title: name,
    description: { plain: truncateWords(description, descriptionMax) || name },
    ...(page !== null && { url: page }),
    ...(productType !== null && { categories: [{ value: productType, taxonomy: 'merchant' }] }),
    price_range: {
      min: { amount: Math.min(...amounts), currency },
      max: { amount: Math.max(...amounts), currency },
    },
    media: pictures.slice(0, MEDIA_MAX).map(picture),
    options: options.map((option) => ({
      name: option.name,
      values: option.values.slice(0, VALUES_MAX).map((label) => ({ label })),
    })),
    variants: variants.slice(0, VARIANTS_MAX).map((variant) => ({
      ...ucpVariant(variant, offering),
      ...(page !== null && { url: variantUrl(shop, page, variant) }),
      ...(options.length > 0 && { options: selectionOf(variant) }),
    })),
    tags: tags.slice(0, TAGS_MAX),
    ...(vendor !== null && { metadata: { vendor } }),
  };
}

function ucpVariant(variant: Priced, { name, currency }: Pick<Offering, 'name' | 'currency'>) {
  const { id, sku, gtin, priceMinor, availability, image } = variant;
  const title = variantName(variant) || name;
  const listMinor = comparable(priceMinor, variant.compareAtPriceMinor);
  const status = STATUS[availability];
  return {
    id,
    ...(sku !== null && { sku }),
    ...(gtin !== null && { barcodes: [{ type: 'GTIN', value: gtin }] }),
    title,
    description: { plain: title },
    price: { amount: priceMinor, currency },
    ...(listMinor !== null && { list_price: { amount: listMinor, currency } }),
    availability: {
      available: isAvailable(availability),
      ...(status !== null && { status }),
    },
    ...(image !== null && { media: [picture(image)] }),
  };
}

/** The option values of a variant, as the protocol names a selection. */
export function selectionOf(variant: Pick<Priced, 'title' | 'options'>) {
  return Object.entries(optionValues(variant)).map(([name, label]) => ({ name, label }));
}

function picture(url: string) {
  return { type: 'image', url };
}

/** Null where the protocol has no word for it. */
const STATUS: Readonly<Record<Availability, string | null>> = {
  in_stock: 'in_stock',
  limited_stock: 'in_stock',
  backorder: 'backorder',
  preorder: 'preorder',
  out_of_stock: 'out_of_stock',
  discontinued: 'discontinued',
  unknown: null,
};

/** The products as text that stands alone, a line each. */
export function productsText(
  head: string,
  sources: readonly ProductSource[],
  { domains, translator }: { domains: readonly string[]; translator: Translator },
): string {
  const lines = sources.map((source) => {
    const { id, offering, variants } = source;
    const offer = { ...offering, ...variants[0], name: offering.name };
    return offeringLine({ id, url: productUrl(source, domains) }, offer, translator);
  });
  return [
    head,
    ...(lines.length === 0 ? [] : [translator.text('tool.fence')]),
    ...fenced(lines),
  ].join('\n');
}
