import type { Offering } from '../../domain/catalog.ts';
import { formatPrice, priceText } from '../../domain/money.ts';
import type { Translator } from '../../messages/translator.ts';
import { oneLine } from './catalogue-text.ts';

/** Maximum bytes of a tool result, text and structured content together. */
export const RESULT_BYTES_MAX = 60_000;

/** One offering on one line: name, price, availability, page, and the id for the next call. */
export function offeringLine(
  { id, url }: { readonly id: string; readonly url: string | null },
  offering: Pick<
    Offering,
    'name' | 'priceMinor' | 'compareAtPriceMinor' | 'currency' | 'availability'
  >,
  translator: Translator,
): string {
  const line = translator.text('offering.line', {
    name: oneLine(offering.name),
    price: priceWords(offering, translator),
    availability: translator.text(`availability.${offering.availability}`),
  });
  return `${line}${url === null ? '' : `. ${url}`} [id ${id}]`;
}

/** `49.90 EUR (was 59.90)`, `free`, `price unknown`. */
export function priceWords(
  {
    priceMinor,
    compareAtPriceMinor,
    currency,
  }: Pick<Offering, 'priceMinor' | 'compareAtPriceMinor' | 'currency'>,
  { text, decimal }: Translator,
): string {
  if (priceMinor === null) return text('offering.priceUnknown');
  if (priceMinor === 0) return text('offering.free');
  const amount = decimal(formatPrice(priceMinor, currency));
  const before = priceText(compareAtPriceMinor, currency);
  return before === null
    ? text('offering.price', { amount, currency })
    : text('offering.priceBefore', { amount, currency, before: decimal(before) });
}

/** The currency that all items share; null if there are several or none. */
export function sharedCurrency(currencies: readonly string[]): string | null {
  const [first, second] = new Set(currencies);
  return first === undefined || second !== undefined ? null : first;
}

/** The items that fit into `bytesMax` together. Leaves out items that do not fit; never shortens one. */
export function fitting<Item extends { readonly bytes: number }>(
  items: readonly Item[],
  bytesMax: number,
): Item[] {
  let bytes = 0;
  return items.filter((item) => {
    if (bytes + item.bytes > bytesMax) return false;
    bytes += item.bytes;
    return true;
  });
}

export function bytesOf(text: string): number {
  // Includes the escapes that JSON adds for line breaks and quotation marks.
  return Buffer.byteLength(JSON.stringify(text));
}
