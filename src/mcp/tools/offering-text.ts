import type { Availability, Offering } from '../../domain/catalog.ts';
import { formatPrice, priceText } from '../../domain/money.ts';
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
): string {
  const { name, availability } = offering;
  const facts = [priceWords(offering), AVAILABILITY_WORDS[availability]].join(', ');
  return `${oneLine(name)}: ${facts}${url === null ? '' : `. ${url}`} [id ${id}]`;
}

/** `49.90 EUR (was 59.90)`, `free`, `price unknown`. */
export function priceWords({
  priceMinor,
  compareAtPriceMinor,
  currency,
}: Pick<Offering, 'priceMinor' | 'compareAtPriceMinor' | 'currency'>): string {
  if (priceMinor === null) return 'price unknown';
  if (priceMinor === 0) return 'free';
  const before = priceText(compareAtPriceMinor, currency);
  return `${formatPrice(priceMinor, currency)} ${currency}${before === null ? '' : ` (was ${before})`}`;
}

export const AVAILABILITY_WORDS: Readonly<Record<Availability, string>> = {
  in_stock: 'in stock',
  limited_stock: 'few left',
  backorder: 'on back order',
  preorder: 'to be pre-ordered',
  out_of_stock: 'out of stock',
  discontinued: 'no longer made',
  unknown: 'availability unknown',
};

/** The currency that all items share; null if there are several or none. */
export function sharedCurrency(currencies: readonly string[]): string | null {
  const [first, second] = new Set(currencies);
  return first === undefined || second !== undefined ? null : first;
}

/**
 * The items that fit into `bytesMax` together, each as text and in structured form. Leaves out
 * items that do not fit; never shortens one.
 */
export function fitting<Item extends { readonly line: string; readonly structured: object }>(
  items: readonly Item[],
  bytesMax: number,
): Item[] {
  let bytes = 0;
  return items.filter(({ line, structured }) => {
    const own = bytesOf(line) + Buffer.byteLength(JSON.stringify(structured));
    if (bytes + own > bytesMax) return false;
    bytes += own;
    return true;
  });
}

export function bytesOf(text: string): number {
  // Includes the escapes that JSON adds for line breaks and quotation marks.
  return Buffer.byteLength(JSON.stringify(text));
}
