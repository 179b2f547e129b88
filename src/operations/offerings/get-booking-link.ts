import type { Services } from '../services.ts';
import type { FoundOffering } from './find-offering.ts';
import { fromTemplate, isOwnLink, productUrl } from './offering-links.ts';

export interface BookingLink {
  readonly url: string;
  /** Host of whoever takes the booking. */
  readonly provider: string;
  /** Where the link is from: the offering itself, its shop's template, or a service's own page. */
  readonly source: 'offering' | 'template' | 'page';
}

/** Where the offering is booked; null when nothing says where, or only somebody else's address does. */
export function getBookingLink(services: Services, found: FoundOffering): BookingLink | null {
  const { shop, offering } = found;
  const { bookingUrl } = offering;
  if (bookingUrl !== null && isOwnLink(services, shop.organizationKey, bookingUrl))
    return link(bookingUrl, 'offering');
  const filled =
    shop.bookingUrlTemplate === null ? null : fromTemplate(shop.bookingUrlTemplate, found);
  if (filled !== null) return link(filled, 'template');
  const page = offering.kind === 'service' ? productUrl(shop, offering) : null;
  return page === null ? null : link(page, 'page');
}

function link(url: string, source: BookingLink['source']): BookingLink {
  return { url, provider: new URL(url).host, source };
}
