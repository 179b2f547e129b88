/**
 * A hit that the service records about its own traffic: one thing that a caller did. A request may
 * leave several (a batch of tool calls) or none (a health check).
 */
export interface OwnHit {
  /** The hit's classification: `search`, `mcp_call`, `landing_view`, `link_click`, `booking_click`, `checkout_start`. */
  readonly classification: string;
  /** The tool of an `mcp_call`, or the tool that made a link. */
  readonly tool?: string;
  readonly question?: string;
  /** Number of results; 0 if nothing was found. */
  readonly resultCount?: number;
  /** Whether the results were doubtful, so that the question counts as unanswered. */
  readonly isDoubtful?: boolean;
  /** Ids of the results that were shown on the first page, best first. */
  readonly shown?: readonly string[];
  /** Id of the offering that was requested. */
  readonly offeringId?: string;
}
