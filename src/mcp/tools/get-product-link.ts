import Type from 'typebox';
import { isAvailable } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { findOffering } from '../../operations/offerings/find-offering.ts';
import { domainsOf, productUrl } from '../../operations/offerings/offering-links.ts';
import { quoted } from './catalogue-text.ts';
import { offeringLine } from './offering-text.ts';
import { OfferingReference, UNKNOWN_OFFERING } from './reference.ts';
import { defineTool, NullableString } from './tool.ts';

const NAME = 'get_product_link';

export const getProductLink = defineTool({
  name: NAME,
  title: 'Get product link',
  description:
    'Get the address of a product’s page. For “show me the second one”. Takes the id of a search result, or a SKU, slug or address.',
  input: Type.Object({ product_id: OfferingReference('Product ID') }),
  output: Type.Object({
    productId: Type.String(),
    name: Type.String(),
    url: Type.String(),
    available: Type.Boolean(),
    price: NullableString,
    currency: Type.String(),
  }),
  async handle({ services, organization }, { product_id: reference }) {
    const found = await findOffering(services, organization.key, reference);
    const ownHit = { classification: 'mcp_call', tool: NAME };
    if (found === null) return { miss: UNKNOWN_OFFERING, ownHit: { ...ownHit, resultCount: 0 } };
    const { id, shop, offering } = found;
    const { name, currency, priceMinor, availability } = offering;
    const url = productUrl(shop, offering, domainsOf(services, organization.key));
    if (url === null) {
      return {
        miss: `${quoted(name)} has no page of its own that this shop names. Describe it from search_offerings, and say that there is no link.`,
        ownHit: { ...ownHit, resultCount: 0, offeringId: id },
      };
    }
    return {
      text: offeringLine({ id, url }, { ...offering, name: quoted(name) }),
      structured: {
        productId: id,
        name,
        url,
        available: isAvailable(availability),
        price: priceText(priceMinor, currency),
        currency,
      },
      ownHit: { classification: 'link_click', tool: NAME, offeringId: id },
    };
  },
});
