import Type from 'typebox';
import { findOffering } from '../../operations/offerings/find-offering.ts';
import { getBookingLink as bookingLinkOf } from '../../operations/offerings/get-booking-link.ts';
import { domainsOf, productUrl } from '../../operations/offerings/offering-links.ts';
import { translatorOf } from '../conversation.ts';
import { quoted } from './catalogue-text.ts';
import { priceWords } from './offering-text.ts';
import { OfferingReference } from './reference.ts';
import { defineTool } from './tool.ts';

const NAME = 'get_booking_link';

export const getBookingLink = defineTool({
  name: NAME,
  title: ['title.get_booking_link'],
  description: ['describe.get_booking_link'],
  input: Type.Object({ offering_id: OfferingReference('Offering ID') }),
  output: Type.Object({
    offeringId: Type.String(),
    name: Type.String(),
    url: Type.String(),
    provider: Type.String(),
    source: Type.Enum(['offering', 'template', 'page']),
  }),
  widget: 'calls',
  async handle(conversation, { offering_id: reference }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    const { text } = translator;
    const found = await findOffering(services, organization.key, reference);
    const ownHit = { classification: 'mcp_call', tool: NAME, resultCount: 0 };
    if (found === null) return { miss: text('tool.unknownOffering'), ownHit };
    const { id, offering } = found;
    const { name } = offering;
    const link = bookingLinkOf(services, found);
    if (link === null) {
      const page = productUrl(found, domainsOf(services, organization.key));
      const values = { name: quoted(name, translator) };
      return {
        miss:
          page === null
            ? text('booking.none', values)
            : text('booking.page', { ...values, url: page }),
        ownHit: { ...ownHit, offeringId: id },
      };
    }
    return {
      text: text('booking.link', {
        name: quoted(name, translator),
        price: priceWords(offering, translator),
        url: link.url,
      }),
      structured: { offeringId: id, name, ...link },
      ownHit: { classification: 'booking_click', tool: NAME, offeringId: id },
    };
  },
});
