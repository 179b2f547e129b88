import { getBookingLink } from './get-booking-link.ts';
import { getProductLink } from './get-product-link.ts';
import { listAllOfferings } from './list-all-offerings.ts';
import { searchOfferings } from './search-offerings.ts';
import { singleProductExpressCheckout } from './single-product-express-checkout.ts';
import type { Tool } from './tool.ts';

/** All tools in the order of the listing. The first can be called without prior knowledge. */
export const TOOLS: readonly Tool[] = [
  listAllOfferings,
  searchOfferings,
  getBookingLink,
  getProductLink,
  singleProductExpressCheckout,
];
