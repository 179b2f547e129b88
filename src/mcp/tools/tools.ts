import type { ToolSet } from '../../domain/organization.ts';
import { type Conversation, translatorOf } from '../conversation.ts';
import { cartCheckout } from './cart-checkout.ts';
import { chatgptFetch } from './chatgpt-fetch.ts';
import { chatgptSearch } from './chatgpt-search.ts';
import { getBookingLink } from './get-booking-link.ts';
import { getProductLink } from './get-product-link.ts';
import { listAllOfferings } from './list-all-offerings.ts';
import { searchOfferings } from './search-offerings.ts';
import { singleProductExpressCheckout } from './single-product-express-checkout.ts';
import type { Tool } from './tool.ts';
import { ucpGetProduct } from './ucp-get-product.ts';
import { ucpLookupCatalog } from './ucp-lookup-catalog.ts';
import { ucpSearchCatalog } from './ucp-search-catalog.ts';

/**
 * The tools of every organization, in the order of the listing. The first can be called without
 * prior knowledge.
 */
export const TOOLS: readonly Tool[] = [
  listAllOfferings,
  searchOfferings,
  getBookingLink,
  getProductLink,
  singleProductExpressCheckout,
];

/** The tools of each set, which follow the five where an organization has the set on. */
const SETS: Record<ToolSet, readonly Tool[]> = {
  chatgpt: [chatgptSearch, chatgptFetch],
  cart: [cartCheckout],
  ucp: [ucpSearchCatalog, ucpLookupCatalog, ucpGetProduct],
};

/** The tools that an organization's assistants can call. */
export interface Toolbox {
  readonly byName: ReadonlyMap<string, Tool>;
  /** The result of `tools/list`, always the same object. */
  readonly listing: { readonly tools: readonly object[] };
  readonly listingText: string;
}

/** By the language and the names of the sets. Built once, because every conversation asks for it. */
const TOOLBOXES = new Map<string, Toolbox>();

export function toolboxOf(conversation: Pick<Conversation, 'services' | 'organization'>): Toolbox {
  const { toolSets } = conversation.organization;
  const translator = translatorOf(conversation);
  const key = [translator.language, ...toolSets].join();
  let toolbox = TOOLBOXES.get(key);
  if (toolbox === undefined) {
    const tools = [...TOOLS, ...toolSets.flatMap((set) => SETS[set])];
    const listing = { tools: tools.map((tool) => tool.listing(translator)) };
    toolbox = {
      byName: new Map(tools.map((tool) => [tool.name, tool])),
      listing,
      listingText: JSON.stringify(listing),
    };
    TOOLBOXES.set(key, toolbox);
  }
  return toolbox;
}
