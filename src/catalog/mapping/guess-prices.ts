import { isMoneyLike, isPriceLike, isRate, isZero } from './cell-looks.ts';
import { headingCurrency, type Meaning } from './dictionary.ts';
import { type Column, type Guesses, quoted } from './guesses.ts';

/** Prices that customers pay, in the order in which they are proposed. */
const SELLING: readonly Meaning[] = ['grossPrice', 'price'];

/** What a price can be other than what customers pay, and what a doubt says about it. */
const OTHERS: readonly (readonly [Meaning, string])[] = [
  ['netPrice', 'is a price without tax'],
  ['purchasePrice', 'is what the shop or a reseller pays'],
  ['salePrice', 'is a price that may not be valid now'],
];

/** Parts of headings that speak of a price in one of the languages. */
const PRICE_STEM = /pre[iç]s|price|prix|preci|preco|preço|prezz|prijs|cena|pris(?!e)|tarif/i;

/**
 * Guesses the price, the compare-at price, and the currency in their headings. The price is sure only if no
 * other column could be meant: a wrong one would offer the whole shop at what it pays itself, or without tax.
 */
export function guessPrices(guesses: Guesses): void {
  if (guesses.has('price')) return;
  const isFilled = ({ cells }: Column) => cells.mostly(isPriceLike);
  const selling = SELLING.flatMap((meaning) => guesses.meaning(meaning)).filter(isFilled);
  for (const column of guesses.meaning(...SELLING))
    if (!column.cells.isEmpty && !isFilled(column))
      guesses.doubt(`"${column.heading}" holds more than prices.`);
  const [price, ...rivals] = [...new Set(selling)];
  const lists = guesses.meaning('listPrice').filter(isFilled);
  const others = OTHERS.flatMap(([meaning, what]) =>
    guesses
      .meaning(meaning)
      .filter(isFilled)
      .map((column) => ({ column, what })),
  );
  const unknown = guesses.columns.filter((column) => isUnknownPrice(column, guesses));
  if (price === undefined) {
    guessWithoutPrice(guesses, { lists, others, unknown });
    return;
  }
  guesses.name(price, 'price');
  const candidates = [...rivals, ...unknown];
  if (candidates.length > 0)
    guesses.doubt(`${quoted([price, ...candidates])} could each be the price.`);
  for (const { column, what } of others)
    guesses.doubt(`"${column.heading}" ${what}: "${price.heading}" seems to be the price.`);
  const [list, ...moreLists] = lists;
  if (list !== undefined && !guesses.has('compare_at_price')) {
    guesses.name(list, 'compare_at_price');
    if (moreLists.length > 0) guesses.doubt(`${quoted(lists)} could each be the former price.`);
  }
  doubtValues(price, guesses);
}

function guessWithoutPrice(
  guesses: Guesses,
  {
    lists,
    others,
    unknown,
  }: {
    lists: readonly Column[];
    others: readonly { column: Column; what: string }[];
    unknown: readonly Column[];
  },
): void {
  const [list] = lists;
  const net = others.find(({ column }) => column.meanings.has('netPrice'));
  for (const { column, what } of others) guesses.doubt(`"${column.heading}" ${what}.`);
  if (list !== undefined) guesses.doubt(`"${list.heading}" is a recommended or former price.`);
  const [proposed] = [...(net === undefined ? [] : [net.column]), ...lists, ...unknown];
  if (proposed !== undefined) guesses.name(proposed, 'price');
  const money = guesses.columns.filter(
    (column) =>
      !guesses.isNamed(column) && column.meanings.size === 0 && column.cells.mostly(isMoneyLike),
  );
  const candidates = [...unknown, ...money.filter((column) => !unknown.includes(column))];
  if (candidates.length > 0) guesses.doubt(`${quoted(candidates)} might be the price.`);
}

/** A column of prices whose heading speaks of a price, but is in no dictionary: `Preis ab 10 Stück`. */
function isUnknownPrice({ heading, meanings, cells, index }: Column, guesses: Guesses): boolean {
  const isNamed = guesses.nameOf(guesses.columns[index]!) !== null;
  return !isNamed && meanings.size === 0 && PRICE_STEM.test(heading) && cells.mostly(isPriceLike);
}

function doubtValues(price: Column, guesses: Guesses): void {
  const { heading, cells } = price;
  if (cells.filled.some(isZero)) guesses.doubt(`"${heading}" is 0 in some rows, which means free.`);
  const rates = guesses.meaning('tax').filter((column) => column.cells.mostly(isRate));
  if (price.meanings.has('price') && rates.length > 0)
    guesses.doubt(`"${heading}" could be without tax: "${rates[0]!.heading}" stands beside it.`);
  const list = guesses.columns.find((column) => guesses.nameOf(column) === 'compare_at_price');
  const other = list === undefined ? null : headingCurrency(list.heading);
  if (list !== undefined && other !== null && other !== headingCurrency(heading))
    guesses.doubt(`${quoted([price, list])} do not name the same currency.`);
}
