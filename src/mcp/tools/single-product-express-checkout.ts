import Type from 'typebox';
import { isAvailable, type Offering, type Variant } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import type { Translator } from '../../messages/translator.ts';
import { CHECKOUT_METHODS, expressCheckout } from '../../operations/offerings/express-checkout.ts';
import { findOffering } from '../../operations/offerings/find-offering.ts';
import { settleVariant } from '../../operations/offerings/settle-variant.ts';
import { translatorOf } from '../conversation.ts';
import { quoted } from './catalogue-text.ts';
import { priceWords } from './offering-text.ts';
import { OfferingReference } from './reference.ts';
import { defineTool, NullableString } from './tool.ts';
import { choiceList, listedVariants, nameWithVariant, VariantReference } from './variant-text.ts';

const NAME = 'single_product_express_checkout';

export const singleProductExpressCheckout = defineTool({
  name: NAME,
  title: ['title.single_product_express_checkout'],
  description: ['describe.single_product_express_checkout'],
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
  async handle(conversation, { product_id: reference, variant: words }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    const { text } = translator;
    const found = await findOffering(services, organization.key, reference);
    const ownHit = { classification: 'mcp_call', tool: NAME, resultCount: 0 };
    if (found === null) return { miss: text('tool.unknownOffering'), ownHit };
    const { id, offering } = found;
    const { currency } = offering;
    const missed = { ...ownHit, offeringId: id };
    const settled = settleVariant(found, words);
    const isAnyAvailable = settled.choices.some((choice) => isAvailable(choice.availability));
    if (isAnyAvailable)
      return { ...toChoose(offering, settled.choices, translator), ownHit: missed };
    const bought = expressCheckout(services, { ...found, variant: settled.variant });
    const { quantity, checkout, productUrl, availability } = bought;
    const name = nameWithVariant(offering.name, settled.variant);
    const named = { name: quoted(name, translator) };
    if (!isAvailable(availability)) {
      return {
        miss: [
          text(`gone.${availability}`, named),
          text('checkout.another'),
          ...(productUrl === null ? [] : [text('checkout.page', { url: productUrl })]),
        ].join(' '),
        isSoldOut: true,
        ownHit: missed,
      };
    }
    if (checkout === null) return { miss: text('checkout.none', named), ownHit: missed };
    const notice = text(
      checkout.method === 'product_page' ? 'checkout.pageNotice' : 'checkout.notice',
    );
    const link = text('checkout.link', {
      ...named,
      price: priceWords({ ...bought, currency }, translator),
      availability: text(`availability.${availability}`),
      url: checkout.url,
    });
    return {
      text: `${link}\n${notice}`,
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
function toChoose(
  { name, currency }: Offering,
  choices: readonly Variant[],
  translator: Translator,
) {
  const { text } = translator;
  return {
    choices: listedVariants(choices, currency),
    miss: [
      text('checkout.choose', { name: quoted(name, translator), variants: choices.length }),
      text('tool.fence'),
      ...choiceList(choices, currency, translator),
    ].join('\n'),
  };
}
