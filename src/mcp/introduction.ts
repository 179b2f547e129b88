import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import packageJson from '../../package.json' with { type: 'json' };
import type { Organization } from '../domain/organization.ts';
import { truncateWords } from '../domain/text.ts';

/** What an assistant is told of the service before it asks for anything. */
export interface Introduction {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  /** At most 600 characters. */
  readonly instructions: string;
}

/** Names in instructions, in code points. */
const NAME_MAX = 80;

/** Nothing changes while a client is connected that it would have to be told of. */
const CAPABILITIES: ServerCapabilities = {
  tools: { listChanged: false },
  resources: { subscribe: false, listChanged: false },
};

/** An organization is a new object whenever it changes. */
const INTRODUCTIONS = new WeakMap<Organization, Introduction>();

export function introductionOf(organization: Organization): Introduction {
  const known = INTRODUCTIONS.get(organization);
  if (known !== undefined) return known;
  const introduction = {
    serverInfo: { name: 'vitrine', title: 'vitrine', version: packageJson.version },
    capabilities: CAPABILITIES,
    instructions: instructionsFor(organization.name),
  };
  INTRODUCTIONS.set(organization, introduction);
  return introduction;
}

function instructionsFor(name: string): string {
  return [
    `The catalogue of ${truncateWords(name, NAME_MAX)}: what it sells, with prices, availability and links.`,
    'Begin with search_offerings, in the person’s own words; it also finds returns, shipping and other shop information.',
    'Then give the link that fits: get_product_link to see it, get_booking_link for a service, single_product_express_checkout to buy.',
    'Say only what an answer says: names, prices and availability as they are. No tool orders, books or pays.',
  ].join(' ');
}
