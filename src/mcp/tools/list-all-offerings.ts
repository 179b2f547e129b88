import Type, { type Static } from 'typebox';
import { isAvailable, isBookable } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { ownLink } from '../../domain/own-link.ts';
import {
  countOfferingsOf,
  type ListedOffering,
  listOfferings,
} from '../../operations/offerings/list-offerings.ts';
import { domainsOf, productUrl } from '../../operations/offerings/offering-links.ts';
import { bytesOf, offeringLine, RESULT_BYTES_MAX } from './offering-text.ts';
import { defineTool, NullableString } from './tool.ts';

/** Left for the sentences around the items. */
const FRAME_BYTES = 1000;

const Item = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  productType: NullableString,
  vendor: NullableString,
  price: NullableString,
  compareAtPrice: NullableString,
  currency: Type.String(),
  available: Type.Boolean(),
  publicUrl: NullableString,
  image: NullableString,
});

export const listAllOfferings = defineTool({
  name: 'list_all_offerings',
  title: 'List all offerings',
  description: [
    'List everything that can be ordered or booked now, with price and link.',
    'For “what do you sell?”; for anything more particular use search_offerings.',
    'A large catalogue does not fit: truncated says so.',
  ].join(' '),
  input: Type.Object({}),
  output: Type.Object({
    count: Type.Integer(),
    total: Type.Integer(),
    truncated: Type.Boolean(),
    results: Type.Array(Item),
  }),
  widget: 'shows',
  async handle({ services, organization }) {
    const { available, outOfStock } = await countOfferingsOf(services, organization.key);
    const domains = domainsOf(services, organization.key);
    const results: Static<typeof Item>[] = [];
    const lines: string[] = [];
    const bookable: string[] = [];
    let bytes = FRAME_BYTES;
    for await (const listed of listOfferings(services, organization.key)) {
      const { id, shop, offering } = listed;
      const item = toItem(listed, domains);
      const line = offeringLine({ id, url: productUrl(shop, offering, domains) }, offering);
      const booked = isBookable(offering) ? [id] : [];
      bytes += bytesOf(line) + bytesOf(JSON.stringify(item)) + bytesOf(JSON.stringify(booked));
      if (bytes > RESULT_BYTES_MAX) break;
      results.push(item);
      bookable.push(...booked);
      lines.push(`${results.length}. ${line}`);
    }
    const count = results.length;
    const truncated = count < available;
    const head = truncated
      ? `${count} of ${available} offerings fit into this answer: use search_offerings for the others.`
      : `All ${count} offerings that are available:`;
    const outside = outOfStock === 0 ? [] : [`${outOfStock} more are out of stock.`];
    return {
      text: [head, ...lines, ...outside].join('\n'),
      structured: { count, total: available, truncated, results },
      bookable,
      trace: { classification: 'mcp_call', tool: 'list_all_offerings', resultCount: count },
    };
  },
});

function toItem({ id, offering }: ListedOffering, domains: readonly string[]): Static<typeof Item> {
  const { name, type, productType, vendor, currency, availability, publicUrl, image } = offering;
  return {
    id,
    name,
    type,
    productType,
    vendor,
    price: priceText(offering.priceMinor, currency),
    compareAtPrice: priceText(offering.compareAtPriceMinor, currency),
    currency,
    available: isAvailable(availability),
    publicUrl: ownLink(publicUrl, domains),
    image,
  };
}
