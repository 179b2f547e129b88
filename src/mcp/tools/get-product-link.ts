import Type from 'typebox';
import { comparable, isAvailable } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { findOffering } from '../../operations/offerings/find-offering.ts';
import { domainsOf, productUrl, variantUrl } from '../../operations/offerings/offering-links.ts';
import { settleVariant } from '../../operations/offerings/settle-variant.ts';
import { FENCE_NOTE, fenced, quoted } from './catalogue-text.ts';
import { offeringLine } from './offering-text.ts';
import { OfferingReference, UNKNOWN_OFFERING } from './reference.ts';
import { defineTool, NullableString } from './tool.ts';
import { nameWithVariant, optionsLine, VariantReference } from './variant-text.ts';

const NAME = 'get_product_link';

export const getProductLink = defineTool({
  name: NAME,
  title: 'Get product link',
  description:
    'Get the address of a product’s page. For “show me the second one”. Takes the id of a search result or of a variant, or a SKU, slug or address.',
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
  async handle({ services, organization }, { product_id: reference, variant: words }) {
    const found = await findOffering(services, organization.key, reference);
    const ownHit = { classification: 'mcp_call', tool: NAME };
    if (found === null) return { miss: UNKNOWN_OFFERING, ownHit: { ...ownHit, resultCount: 0 } };
    const { id, shop, offering } = found;
    const { name, currency, variants } = offering;
    const { variant, choices } = settleVariant(found, words);
    const { priceMinor, availability } = variant ?? offering;
    const url = productUrl(shop, offering, domainsOf(services, organization.key));
    if (url === null) {
      return {
        miss: `${quoted(name)} has no page of its own that this shop names. Describe it from search_offerings, and say that there is no link.`,
        ownHit: { ...ownHit, resultCount: 0, offeringId: id },
      };
    }
    const page = variantUrl(shop, url, variant);
    const named = { ...offering, ...variant, name: quoted(nameWithVariant(name, variant)) };
    return {
      text: [
        offeringLine(
          { id, url: page },
          {
            ...named,
            compareAtPriceMinor: comparable(named.priceMinor, named.compareAtPriceMinor),
          },
        ),
        ...(choices.length === 0 ? [] : [FENCE_NOTE, ...fenced([optionsLine(variants)])]),
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
