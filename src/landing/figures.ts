import type { Offering } from '../domain/catalog.ts';
import { formatPrice } from '../domain/money.ts';
import type { Translator } from '../messages/translator.ts';
import type { OfferingGroup, PriceRange } from './survey.ts';

/** `from 9.80 EUR (sale, was 12.00)`. */
export function priceOf(
  { priceMinor, compareAtPriceMinor, currency, variants }: Offering,
  { text, decimal }: Translator,
): string {
  if (priceMinor === null) return text('landing.onRequest');
  const amount = decimal(formatPrice(priceMinor, currency));
  const isLowest = variants.some((variant) => (variant.priceMinor ?? priceMinor) > priceMinor);
  const lowest = text('offering.price', { amount, currency });
  const price = isLowest ? text('landing.priceFrom', { price: lowest }) : lowest;
  if (compareAtPriceMinor === null) return price;
  const before = decimal(formatPrice(compareAtPriceMinor, currency));
  return text('landing.priceSale', { price, before });
}

/** `9.80 to 49.00 EUR; 10.00 CHF`; empty if no price is known. */
export function pricesOf(
  { prices }: Pick<OfferingGroup, 'prices'>,
  translator: Translator,
): string {
  return prices.map((range) => rangeText(range, translator)).join('; ');
}

export function rangeText(
  { currency, fromMinor, toMinor }: PriceRange,
  { text, decimal }: Translator,
): string {
  const from = decimal(formatPrice(fromMinor, currency));
  return fromMinor === toMinor
    ? text('offering.price', { amount: from, currency })
    : text('landing.range', { from, to: decimal(formatPrice(toMinor, currency)), currency });
}
