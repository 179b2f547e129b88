import Type, { type Static } from 'typebox';
import { isAvailable, isBookable } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import {
  countOfferingsOf,
  type ListedOffering,
  listOfferings,
} from '../../operations/offerings/list-offerings.ts';
import { domainsOf, productUrl } from '../../operations/offerings/offering-links.ts';
import { translatorOf } from '../conversation.ts';
import { fenced } from './catalogue-text.ts';
import { bytesOf, offeringLine } from './offering-text.ts';
import { defineTool, NullableString } from './tool.ts';

/**
 * Maximum bytes of a result, text and structured content together. With its ids and URLs, that is
 * less than 8,000 tokens (o200k, measured with 300 offerings).
 */
const LIST_BYTES_MAX = 27_000;

/** Bytes reserved for the sentences around the items. */
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
  title: ['title.list_all_offerings'],
  description: ['describe.list_all_offerings'],
  input: Type.Object({
    cursor: Type.Optional(
      Type.String({ pattern: '^\\d{1,15}$', description: 'nextCursor of the answer before' }),
    ),
  }),
  output: Type.Object({
    count: Type.Integer(),
    total: Type.Integer(),
    truncated: Type.Boolean(),
    nextCursor: NullableString,
    results: Type.Array(Item),
  }),
  widget: 'shows',
  async handle(conversation, { cursor }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    const { text } = translator;
    const { available, outOfStock } = await countOfferingsOf(services, organization.key);
    const domains = domainsOf(services, organization.key);
    const results: Static<typeof Item>[] = [];
    const lines: string[] = [];
    const bookable: string[] = [];
    let bytes = FRAME_BYTES;
    let last = Number(cursor ?? 0);
    let nextCursor: string | null = null;
    for await (const listed of listOfferings(services, organization.key, last)) {
      const { place, id, offering } = listed;
      const url = productUrl(listed, domains);
      const item = toItem(listed, url);
      const line = offeringLine({ id, url }, offering, translator);
      const booked = isBookable(offering) ? [id] : [];
      bytes += bytesOf(line) + bytesOf(JSON.stringify(item)) + bytesOf(JSON.stringify(booked));
      if (bytes > LIST_BYTES_MAX && results.length > 0) {
        nextCursor = String(last);
        break;
      }
      last = place;
      results.push(item);
      bookable.push(...booked);
      lines.push(`${results.length}. ${line}`);
    }
    const count = results.length;
    return {
      text: [
        cursor === undefined && nextCursor === null
          ? text('list.all', { count })
          : text('list.part', { shown: count, total: available }),
        ...(count === 0 ? [] : [text('tool.fence')]),
        ...fenced(lines),
        ...(nextCursor === null ? [] : [text('list.next', { cursor: nextCursor })]),
        ...(outOfStock === 0 ? [] : [text('list.outOfStock', { count: outOfStock })]),
      ].join('\n'),
      structured: { count, total: available, truncated: nextCursor !== null, nextCursor, results },
      bookable,
      ownHit: { classification: 'mcp_call', tool: 'list_all_offerings', resultCount: count },
    };
  },
});

function toItem({ id, offering }: ListedOffering, url: string | null): Static<typeof Item> {
  const { name, type, productType, vendor, currency, availability, image } = offering;
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
    publicUrl: url,
    image,
  };
}
