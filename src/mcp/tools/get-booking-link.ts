import Type from 'typebox';
import { findOffering } from '../../operations/offerings/find-offering.ts';
import { getBookingLink as bookingLinkOf } from '../../operations/offerings/get-booking-link.ts';
import { domainsOf, productUrl } from '../../operations/offerings/offering-links.ts';
import { quoted } from './catalogue-text.ts';
import { priceWords } from './offering-text.ts';
import { OfferingReference, UNKNOWN_OFFERING } from './reference.ts';
import { defineTool } from './tool.ts';

const NAME = 'get_booking_link';

export const getBookingLink = defineTool({
  name: NAME,
  title: 'Get booking link',
  description:
    'Get the address where a service is booked: a workshop, a stay. For “book me the pottery class”. Nothing is booked before the person does so there. Takes the id of a search result, or a SKU, slug or address.',
  input: Type.Object({ offering_id: OfferingReference('Offering ID') }),
  output: Type.Object({
    offeringId: Type.String(),
    name: Type.String(),
    url: Type.String(),
    provider: Type.String(),
    source: Type.Enum(['offering', 'template', 'page']),
  }),
  widget: 'calls',
  async handle({ services, organization }, { offering_id: reference }) {
    const found = await findOffering(services, organization.key, reference);
    const ownHit = { classification: 'mcp_call', tool: NAME, resultCount: 0 };
    if (found === null) return { miss: UNKNOWN_OFFERING, ownHit };
    const { id, shop, offering } = found;
    const { name } = offering;
    const link = bookingLinkOf(services, found);
    if (link === null) {
      const page = productUrl(shop, offering, domainsOf(services, organization.key));
      const next = page === null ? 'Say so.' : `Give the person its page: ${page}`;
      return {
        miss: `${quoted(name)} cannot be booked by a link. ${next}`,
        ownHit: { ...ownHit, offeringId: id },
      };
    }
    return {
      text: `Book ${quoted(name)} (${priceWords(offering)}) at ${link.url}`,
      structured: { offeringId: id, name, ...link },
      ownHit: { classification: 'booking_click', tool: NAME, offeringId: id },
    };
  },
});
