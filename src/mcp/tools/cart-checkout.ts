import Type, { type Static } from 'typebox';
import { isAvailable, type Offering, type Variant } from '../../domain/catalog.ts';
import { formatPrice, priceText } from '../../domain/money.ts';
import type { Translator } from '../../messages/translator.ts';
import { cartLink } from '../../operations/offerings/cart-link.ts';
import { type FoundOffering, findOffering } from '../../operations/offerings/find-offering.ts';
import { domainsOf } from '../../operations/offerings/offering-links.ts';
import { settleVariant } from '../../operations/offerings/settle-variant.ts';
import { type Conversation, translatorOf } from '../conversation.ts';
import { quoted } from './catalogue-text.ts';
import { priceWords, sharedCurrency } from './offering-text.ts';
import { OfferingReference } from './reference.ts';
import { defineTool, NullableString } from './tool.ts';
import { choiceList, nameWithVariant, VariantReference } from './variant-text.ts';

const NAME = 'cart_checkout';

/** Lines of a cart, and how many of one product: what a link can hold and a person means. */
const LINES_MAX = 20;
const QUANTITY_MAX = 99;

const Line = Type.Object({
  product_id: OfferingReference('Product ID'),
  variant: VariantReference,
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: QUANTITY_MAX, default: 1 })),
});

export const cartCheckout = defineTool({
  name: NAME,
  title: ['title.cart_checkout'],
  description: ['describe.cart_checkout'],
  input: Type.Object({ lines: Type.Array(Line, { minItems: 1, maxItems: LINES_MAX }) }),
  output: Type.Object({
    checkoutUrl: Type.String(),
    method: Type.String(),
    subtotal: NullableString,
    currency: NullableString,
    lines: Type.Array(
      Type.Object({
        productId: Type.String(),
        variantId: NullableString,
        name: Type.String(),
        quantity: Type.Integer(),
        price: NullableString,
        currency: Type.String(),
      }),
    ),
    notice: Type.String(),
  }),
  async handle(conversation, { lines }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    const { text } = translator;
    const read: LineReading[] = [];
    for (const line of lines) read.push(await readLine(conversation, line, translator));
    const missed = { classification: 'mcp_call', tool: NAME, resultCount: 0 };
    const faults = read.flatMap((line, index) =>
      'fault' in line ? [text('cart.fault', { line: index + 1, fault: line.fault })] : [],
    );
    if (faults.length > 0)
      return {
        miss: [text('cart.none'), text('tool.fence'), ...faults].join('\n'),
        ownHit: missed,
      };
    const settled = merged(read.filter((line) => 'found' in line));
    const [{ found }] = settled as [SettledLine, ...SettledLine[]];
    if (settled.some((line) => line.found.shop.key !== found.shop.key))
      return { miss: text('cart.severalShops'), ownHit: missed };
    const domains = domainsOf(services, organization.key);
    const link = cartLink(found.shop, settled.map(toCartLine), domains);
    if (link === null) return { miss: text('cart.unsupported'), ownHit: missed };
    const subtotal = subtotalOf(settled);
    const content = [
      text('cart.content', {
        lines: settled.map((line) => lineWords(line, translator)).join('; '),
      }),
      ...(subtotal === null
        ? []
        : [
            text('cart.subtotal', {
              amount: translator.decimal(subtotal.amount),
              currency: subtotal.currency,
            }),
          ]),
    ];
    const notice = text('checkout.notice');
    return {
      text: [content.join(' '), text('cart.link', { url: link.url }), notice].join('\n'),
      structured: {
        checkoutUrl: link.url,
        method: link.method,
        subtotal: subtotal?.amount ?? null,
        currency: subtotal?.currency ?? null,
        lines: settled.map(told),
        notice,
      },
      ownHit: settled.map((line) => ({
        classification: 'checkout_start',
        tool: NAME,
        offeringId: line.found.id,
      })),
    };
  },
});

interface SettledLine {
  readonly found: FoundOffering;
  /** Null if the offering has no variants. */
  readonly variant: Variant | null;
  readonly quantity: number;
}

/** A line that can be bought, or why it cannot. */
type LineReading = SettledLine | { readonly fault: string };

async function readLine(
  { services, organization }: Conversation,
  { product_id: reference, variant: words, quantity = 1 }: Static<typeof Line>,
  translator: Translator,
): Promise<LineReading> {
  const { text } = translator;
  const found = await findOffering(services, organization.key, reference);
  if (found === null) return { fault: text('tool.unknownOffering') };
  const { offering } = found;
  const { variant, choices } = settleVariant(found, words);
  if (choices.some(({ availability }) => isAvailable(availability)))
    return { fault: toChoose(offering, choices, translator) };
  const { availability } = variant ?? offering;
  if (isAvailable(availability)) return { found, variant, quantity };
  const name = quoted(nameWithVariant(offering.name, variant), translator);
  return { fault: `${text(`gone.${availability}`, { name })} ${text('cart.leaveOut')}` };
}

/** Nothing is picked for a person who has not chosen. */
function toChoose(
  { name, currency }: Offering,
  choices: readonly Variant[],
  translator: Translator,
): string {
  const values = { name: quoted(name, translator), variants: choices.length };
  return [
    translator.text('cart.choose', values),
    ...choiceList(choices, currency, translator),
  ].join('\n');
}

/** Lines for the same thing as one, because storefronts disagree on repeated ids. */
function merged(lines: readonly SettledLine[]): SettledLine[] {
  const byThing = Map.groupBy(lines, ({ found, variant }) => `${found.id} ${variant?.id ?? ''}`);
  return [...byThing.values()].map((same) => ({
    ...same[0]!,
    quantity: same.reduce((sum, { quantity }) => sum + quantity, 0),
  }));
}

function toCartLine({ found: { offering }, variant, quantity }: SettledLine) {
  return { offering, variant, quantity };
}

function offerOf({ found: { offering }, variant }: SettledLine) {
  const { priceMinor } = variant ?? offering;
  return { priceMinor, compareAtPriceMinor: null, currency: offering.currency };
}

function lineWords(line: SettledLine, translator: Translator): string {
  return translator.text('cart.line', {
    quantity: line.quantity,
    name: quoted(nameWithVariant(line.found.offering.name, line.variant), translator),
    price: priceWords(offerOf(line), translator),
  });
}

function told(line: SettledLine) {
  const { found, variant, quantity } = line;
  const { priceMinor, currency } = offerOf(line);
  return {
    productId: found.id,
    variantId: variant?.id ?? null,
    name: nameWithVariant(found.offering.name, variant),
    quantity,
    price: priceText(priceMinor, currency),
    currency,
  };
}

/** Null if a price is unknown or the lines do not share a currency. */
function subtotalOf(lines: readonly SettledLine[]): { amount: string; currency: string } | null {
  const currency = sharedCurrency(lines.map((line) => offerOf(line).currency));
  if (currency === null) return null;
  let minor = 0;
  for (const line of lines) {
    const { priceMinor } = offerOf(line);
    if (priceMinor === null) return null;
    minor += priceMinor * line.quantity;
  }
  return { amount: formatPrice(minor, currency), currency };
}
