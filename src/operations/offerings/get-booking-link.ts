import { ownLink } from '../../domain/own-link.ts';
import type { BaseServices } from '../base-services.ts';
import type { FoundOffering } from './find-offering.ts';
import { domainsOf, fromTemplate, productUrl } from './offering-links.ts';

export interface BookingLink {
  readonly url: string;
  /** Host of the link. */
  readonly provider: string;
  /** The origin of the link: the offering itself, its shop's template, or the page of a service. */
  readonly source: 'offering' | 'template' | 'page';
}

/** The offering's booking link; null if none is known or every link leads outside the organization. */
export function getBookingLink(services: BaseServices, found: FoundOffering): BookingLink | null {
  const { shop, offering } = found;
  const { bookingUrlTemplate: template, organizationKey } = shop;
  const domains = domainsOf(services, organizationKey);
  const own = ownLink(offering.bookingUrl, domains);
  if (own !== null) return link(own, 'offering');
  const filled = template === null ? null : ownLink(fromTemplate(template, found), domains);
  if (filled !== null) return link(filled, 'template');
  const page = offering.kind === 'service' ? productUrl(found, domains) : null;
  return page === null ? null : link(page, 'page');
}

function link(url: string, source: BookingLink['source']): BookingLink {
  return { url, provider: new URL(url).host, source };
}
