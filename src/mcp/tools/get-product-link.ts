import Type from 'typebox';
import { comparable, isAvailable } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { findOffering } from '../../operations/offerings/find-offering.ts';
import { domainsOf, productUrl, variantUrl } from '../../operations/offerings/offering-links.ts';
import { settleVariant } from '../../operations/offerings/settle-variant.ts';
import { translatorOf } from '../conversation.ts';
import { fenced, quoted } from './catalogue-text.ts';
import { offeringLine } from './offering-text.ts';
import { OfferingReference } from './reference.ts';
import { defineTool, NullableString } from './tool.ts';
import { nameWithVariant, optionsLine, VariantReference } from './variant-text.ts';

const NAME = 'get_product_link';

export const getProductLink = defineTool({
  name: NAME,
  title: ['title.get_product_link'],
  description: ['describe.get_product_link'],
  input: Type.Object({ product_id: OfferingReference('Product ID'), variant: VariantReference }),
  output: Type.Object({
    productId: Type.String(),
    variantId: NullableString,
    name: Type.String(),
    url: Type.String(),
    available: Type.Boolean(),
    price: NullableString,
    currency: Type.String(),
  }),
  async handle(conversation, { product_id: reference, variant: words }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    const { text } = translator;
    const found = await findOffering(services, organization.key, reference);
    const ownHit = { classification: 'mcp_call', tool: NAME };
    if (found === null)
      return { miss: text('tool.unknownOffering'), ownHit: { ...ownHit, resultCount: 0 } };
    const { id, shop, offering } = found;
    const { name, currency, variants } = offering;
    const { variant, choices } = settleVariant(found, words);
    const { priceMinor, availability } = variant ?? offering;
    const url = productUrl({ ...found, variant }, domainsOf(services, organization.key));
    if (url === null) {
      return {
        miss: text('page.none', { name: quoted(name, translator) }),
        ownHit: { ...ownHit, resultCount: 0, offeringId: id },
      };
    }
    const page = variantUrl(shop, url, variant);
    const named = {
      ...offering,
      ...variant,
      name: quoted(nameWithVariant(name, variant), translator),
    };
    return {
      text: [
        offeringLine(
          { id, url: page },
          {
            ...named,
            compareAtPriceMinor: comparable(named.priceMinor, named.compareAtPriceMinor),
          },
          translator,
        ),
        ...(choices.length === 0
          ? []
          : [text('tool.fence'), ...fenced([optionsLine(variants, translator)])]),
      ].join('\n'),
      structured: {
        productId: id,
        variantId: variant?.id ?? null,
        name,
        url: page,
        available: isAvailable(availability),
        price: priceText(priceMinor, currency),
        currency,
      },
      ownHit: { classification: 'link_click', tool: NAME, offeringId: id },
    };
  },
});
