import Type from 'typebox';
import { isAvailable, type Offering, type Variant } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { CHECKOUT_METHODS, expressCheckout } from '../../operations/offerings/express-checkout.ts';
import { findOffering } from '../../operations/offerings/find-offering.ts';
import { settleVariant } from '../../operations/offerings/settle-variant.ts';
import { FENCE_NOTE, quoted } from './catalogue-text.ts';
import { AVAILABILITY_WORDS, priceWords } from './offering-text.ts';
import { OfferingReference, UNKNOWN_OFFERING } from './reference.ts';
import { defineTool, NullableString } from './tool.ts';
import { choiceList, listedVariants, nameWithVariant, VariantReference } from './variant-text.ts';

const NAME = 'single_product_express_checkout';

const NOTICES = {
  checkout:
    'Opening the link places no order: the person sees the price, and pays or leaves there.',
  page: 'This shop has no direct checkout for it: the link opens the product’s page, and places no order.',
};

export const singleProductExpressCheckout = defineTool({
  name: NAME,
  title: 'Express checkout',
  description:
    'Get a link that opens the shop’s checkout with one of a product in it. For “I’ll take it”, “buy the red one”. Opening it places no order. Takes the id of a search result or of a variant, or a SKU, slug or address. Of several variants one has to be named.',
  input: Type.Object({ product_id: OfferingReference('Product ID'), variant: VariantReference }),
  output: Type.Object({
    productId: Type.String(),
    variantId: NullableString,
    name: Type.String(),
    quantity: Type.Integer(),
    price: NullableString,
    compareAtPrice: NullableString,
    currency: Type.String(),
    available: Type.Boolean(),
    checkoutUrl: Type.String(),
    method: Type.Enum([...CHECKOUT_METHODS]),
    productUrl: NullableString,
    notice: Type.String(),
  }),
  widget: 'calls',
  async handle({ services, organization }, { product_id: reference, variant: words }) {
    const found = await findOffering(services, organization.key, reference);
    const ownHit = { classification: 'mcp_call', tool: NAME, resultCount: 0 };
    if (found === null) return { miss: UNKNOWN_OFFERING, ownHit };
    const { id, offering } = found;
    const { currency } = offering;
    const missed = { ...ownHit, offeringId: id };
    const settled = settleVariant(found, words);
    const isAnyAvailable = settled.choices.some((choice) => isAvailable(choice.availability));
    if (isAnyAvailable) return { ...toChoose(offering, settled.choices), ownHit: missed };
    const bought = expressCheckout(services, { ...found, variant: settled.variant });
    const { quantity, checkout, productUrl, availability } = bought;
    const name = nameWithVariant(offering.name, settled.variant);
    const page = productUrl === null ? '' : ` Its page: ${productUrl}`;
    if (!isAvailable(availability)) {
      const next = 'Offer another one from search_offerings.';
      return {
        miss: `${quoted(name)} is ${AVAILABILITY_WORDS[availability]}. ${next}${page}`,
        isSoldOut: true,
        ownHit: missed,
      };
    }
    if (checkout === null)
      return { miss: `${quoted(name)} cannot be bought by a link here. Say so.`, ownHit: missed };
    const notice = checkout.method === 'product_page' ? NOTICES.page : NOTICES.checkout;
    return {
      text: `${quoted(name)} (${priceWords({ ...bought, currency })}), ${AVAILABILITY_WORDS[availability]}. Checkout: ${checkout.url}\n${notice}`,
      structured: {
        productId: id,
        variantId: settled.variant?.id ?? null,
        name,
        quantity,
        price: priceText(bought.priceMinor, currency),
        compareAtPrice: priceText(bought.compareAtPriceMinor, currency),
        currency,
        available: true,
        checkoutUrl: checkout.url,
        method: checkout.method,
        productUrl,
        notice,
      },
      ownHit: { classification: 'checkout_start', tool: NAME, offeringId: id },
    };
  },
});

/** Nothing is picked for a person who has not chosen. */
function toChoose({ name, currency }: Offering, choices: readonly Variant[]) {
  return {
    choices: listedVariants(choices, currency),
    miss: [
      `${quoted(name)} has ${choices.length} matching variants. Ask which one is wanted, then call again with its id as variant.`,
      FENCE_NOTE,
      ...choiceList(choices, currency),
    ].join('\n'),
  };
}
