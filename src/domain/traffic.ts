/**
 * One thing that a caller did in a request, as the record of the service's own traffic keeps it. A
 * request may leave several (a batch of tool calls) or none (a health check).
 */
export interface Trace {
  /** As a hit's: `search`, `mcp_call`, `landing_view`, `link_click`, `booking_click`, `checkout_start`. */
  readonly classification: string;
  /** The tool of an `mcp_call`, or the tool that made a link. */
  readonly tool?: string;
  readonly question?: string;
  /** Results that answered the question; 0: nothing was found. */
  readonly resultCount?: number;
  /** The offering that was asked for, its id. */
  readonly offeringId?: string;
}
