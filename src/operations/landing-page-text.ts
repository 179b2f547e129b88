import type { Organization } from '../domain/organization.ts';
import { countOfferingsOf } from './list-offerings.ts';
import type { Services } from './services.ts';

/** What an assistant reads about an organization, as Markdown. */
export async function landingPageText(
  services: Services,
  { key, name }: Organization,
): Promise<string> {
  const { available } = await countOfferingsOf(services, key);
  const shops = services.directory
    .shopsOf(key)
    .map(
      ({ name: shopName, domain, currency }) =>
        `- ${plain(shopName)}: prices in ${currency}${domain === null ? '' : `, https://${domain}`}`,
    );
  return [
    `# ${plain(name)}`,
    '',
    `> ${available} offerings can be ordered or booked.`,
    '',
    '## Shops',
    '',
    ...shops,
    '',
    '## How to use it',
    '',
    '- search_offerings: find offerings and shop information by a question',
    '- list_all_offerings: everything that is available',
    '- get_product_link, get_booking_link, single_product_express_checkout: where to see, book or buy one',
    '',
  ].join('\n');
}

/** Text of an operator's that Markdown would take for markup. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, '\\$&');
}
