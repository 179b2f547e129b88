import { type AgentKind, recognizeAgent } from './agent.ts';
import { cleanLine } from './text.ts';

/** Values of `classification` that reports understand. Any other value is stored as well. */
export const CLASSIFICATIONS = [
  ...['search', 'product_view', 'product_click', 'link_click', 'booking_click'],
  ...['checkout_start', 'purchase', 'page_view', 'landing_view', 'mcp_call', 'crawl', 'other'],
] as const;

/** One event as a client reports it. Omitted fields are null; secrets are already redacted. */
export interface HitFields {
  /** RFC 3339, as it was sent. */
  readonly eventDate: string;
  readonly classification: string;
  readonly method: string | null;
  readonly path: string | null;
  readonly url: string | null;
  readonly userAgent: string | null;
  readonly clientIp: string | null;
  readonly botScore: number | null;
  readonly verifiedBot: boolean | null;
  readonly headers: Readonly<Record<string, string | readonly string[]>> | null;
  readonly cf: Readonly<Record<string, unknown>> | null;
  /** The offering that the event is about, by any name that a link may carry. Left out if not sent. */
  readonly offeringId?: string;
}

/** What the service knows about an event that it handled itself. */
export interface Observed {
  readonly tool: string | null;
  readonly question: string | null;
  readonly resultCount: number | null;
  /** Whether the results of a search were doubtful (`lowConfidence`). */
  readonly isDoubtful: boolean | null;
  readonly offeringId: string | null;
  readonly latencyMs: number | null;
  /** Ids of the results of a search that were shown first, best first. */
  readonly shown?: readonly string[];
  /** Id of the API key, or of the grant, of the caller. Left out for callers without one. */
  readonly keyId?: string;
  /** A hash of the assistant's session. Left out for requests outside a session. */
  readonly session?: string;
}

/** The most results of a search that a hit names. */
export const SHOWN_MAX = 20;

/** `client`: sent to `/rest/hits/`. `service`: the service's own traffic. */
export type HitSource = 'client' | 'service';

/** `public`: the service answered somebody without a key. `key`: every other hit. */
export type HitAccess = 'key' | 'public';

/** One event as it is stored. */
export interface Hit extends Omit<HitFields, 'offeringId'>, Observed {
  readonly id: string;
  readonly organizationKey: number;
  readonly source: HitSource;
  readonly access: HitAccess;
  readonly createdAt: number;
  /** UTC day of the event, `2026-01-31`. */
  readonly day: string;
  readonly agent: string;
  readonly agentKind: AgentKind;
  readonly isVerified: boolean;
  /** The path without its query. */
  readonly page: string | null;
}

export interface HitOrigin {
  readonly id: string;
  readonly organizationKey: number;
  readonly source: HitSource;
  readonly access: HitAccess;
  readonly createdAt: number;
  /** The time of the event, in milliseconds since the epoch. */
  readonly eventMs: number;
}

/** Longest question or page that a hit stores, in code points. */
const QUESTION_MAX = 1024;
const PAGE_MAX = 500;

/** Query parameters in which shops' own searches carry the question. */
const QUESTION_PARAMETERS = ['q', 'query', 'search', 's', 'term', 'keyword', 'keywords'];

/** Upper bounds of the latency buckets, in milliseconds; one more bucket takes everything slower. */
export const LATENCY_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const;

/** The row of an event: the fields that were sent and those derived from them. */
export function toHit(
  fields: HitFields,
  { eventMs, ...origin }: HitOrigin,
  observed: Observed | null = null,
): Hit {
  const { name, kind, isVerified } = recognizeAgent(fields);
  return {
    ...fields,
    ...origin,
    ...(observed ?? NOTHING_OBSERVED),
    offeringId: observed?.offeringId ?? fields.offeringId ?? null,
    question: normalizeQuestion(observed === null ? questionIn(fields) : observed.question),
    day: dayOf(eventMs),
    agent: name,
    agentKind: kind,
    isVerified,
    page: pageOf(fields),
  };
}

const NOTHING_OBSERVED: Observed = {
  tool: null,
  question: null,
  resultCount: null,
  isDoubtful: null,
  offeringId: null,
  latencyMs: null,
};

/** The question in the URL of a shop's own search. */
function questionIn({ classification, url, path }: HitFields): string | null {
  return classification === 'search' ? parameterIn(url ?? path ?? '') : null;
}

/** The question in the address of a page, as hits store it; null if it has none. */
export function questionInUrl(url: string): string | null {
  return normalizeQuestion(parameterIn(url));
}

function parameterIn(address: string): string | null {
  const start = address.indexOf('?');
  if (start < 0) return null;
  const parameters = new URLSearchParams(address.slice(start).replace(/#.*$/s, ''));
  const name = QUESTION_PARAMETERS.find((candidate) => parameters.has(candidate));
  return name === undefined ? null : parameters.get(name);
}

/** Questions that differ only in case and white space count as one. */
export function normalizeQuestion(question: string | null): string | null {
  if (question === null) return null;
  const cleaned = cleanLine(question).toLowerCase();
  if (cleaned.length <= QUESTION_MAX) return cleaned === '' ? null : cleaned;
  return [...cleaned].slice(0, QUESTION_MAX).join('');
}

function pageOf({ path, url }: HitFields): string | null {
  const address = path ?? url?.replace(/^[a-z]+:\/\/[^/?#]*/i, '') ?? null;
  if (address === null) return null;
  const page = address.replace(/[?#].*$/s, '') || '/';
  return page.length > PAGE_MAX ? `${page.slice(0, PAGE_MAX - 1).toWellFormed()}…` : page;
}

/** The UTC day by which hits are counted, as `2026-01-31`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
