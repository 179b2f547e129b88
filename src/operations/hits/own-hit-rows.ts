import { contentHash } from '../../domain/content-hash.ts';
import { type Hit, type HitAccess, SHOWN_MAX, toHit } from '../../domain/hit.ts';
import type { OwnHit } from '../../domain/own-hit.ts';
import { canonicalAddress, redactUrl } from '../../domain/private-data.ts';
import type { CountedAlike } from '../../storage/hit-tally.ts';
import { type HitRow, type Occurrence, rowsAlike } from '../../storage/hits.ts';

/** An own hit with the request that it came from, noted while the response is sent. */
export interface OwnEvent {
  readonly organizationKey: number;
  readonly atMs: number;
  readonly latencyMs: number;
  /** Null if the request did not come over HTTP. */
  readonly method: string | null;
  /** With its query; null if the request did not come over HTTP. */
  readonly path: string | null;
  readonly userAgent: string | null;
  /** Empty if the caller has none. */
  readonly clientIp: string;
  readonly access: HitAccess;
  /** Id of the caller's API key or grant; null for callers without a key. */
  readonly keyId: string | null;
  /** Id of the assistant's session; null outside a session. It is stored as a hash. */
  readonly session: string | null;
  readonly ownHit: OwnHit;
}

/** Events that differ only in when and from where they came, and in how long they took. */
interface Kind extends CountedAlike {
  /** The first of them. */
  readonly event: OwnEvent;
  readonly latenciesMs: number[];
  readonly toRow: (occurrence: Occurrence) => HitRow;
}

/** The most recent kinds, with which an event is compared. */
const COMPARED_KINDS = 8;

/**
 * The rows of own hits, in the order of their events, and how they count. What events of one kind have in
 * common is worked out once: most requests for a page, or with a tool, are alike. Pure.
 */
export function prepareOwnHits(
  events: readonly OwnEvent[],
  newId: () => string,
): { readonly rows: readonly HitRow[]; readonly alike: readonly CountedAlike[] } {
  const kinds: Kind[] = [];
  const recent: Kind[] = [];
  const occurrenceOf = occurrences(newId);
  const rows = events.map((event) => {
    const occurrence = occurrenceOf(event);
    let kind = recent.find((known) => isOfKind(known, event, occurrence));
    if (kind === undefined) {
      kind = kindOf(event, occurrence);
      kinds.push(kind);
      if (recent.push(kind) > COMPARED_KINDS) recent.shift();
    }
    kind.latenciesMs.push(occurrence.latencyMs);
    return kind.toRow(occurrence);
  });
  return { rows, alike: kinds };
}

/** Makes occurrences of events, which often share their millisecond and their client with the one before. */
function occurrences(newId: () => string): (event: OwnEvent) => Occurrence {
  let [createdAt, eventDate] = [Number.NaN, ''];
  let [given, clientIp]: [string, string | null] = ['', null];
  return ({ atMs, clientIp: address, latencyMs }) => {
    if (atMs !== createdAt) {
      createdAt = atMs;
      eventDate = new Date(atMs).toISOString();
    }
    if (address !== given) {
      given = address;
      clientIp = canonicalAddress(address);
    }
    const roundedMs = Math.round(latencyMs * 1000) / 1000;
    return { id: newId(), eventDate, createdAt, clientIp, latencyMs: roundedMs };
  };
}

function isOfKind({ event, hit }: Kind, other: OwnEvent, { eventDate }: Occurrence): boolean {
  return (
    event.path === other.path &&
    event.userAgent === other.userAgent &&
    event.keyId === other.keyId &&
    event.organizationKey === other.organizationKey &&
    event.method === other.method &&
    event.access === other.access &&
    event.session === other.session &&
    isSame(event.ownHit, other.ownHit) &&
    eventDate.startsWith(hit.day)
  );
}

/** Questions differ nearly always, so they are not compared. */
function isSame(one: OwnHit, other: OwnHit): boolean {
  return (
    one.question === undefined &&
    other.question === undefined &&
    one.shown === undefined &&
    other.shown === undefined &&
    one.classification === other.classification &&
    one.tool === other.tool &&
    one.offeringId === other.offeringId &&
    one.resultCount === other.resultCount &&
    one.isDoubtful === other.isDoubtful
  );
}

function kindOf(event: OwnEvent, occurrence: Occurrence): Kind {
  const hit = hitOf(event, occurrence);
  return { event, hit, latenciesMs: [], toRow: rowsAlike(hit) };
}

function hitOf(event: OwnEvent, occurrence: Occurrence): Hit {
  const { organizationKey, method, path, userAgent, access, keyId, session, ownHit } = event;
  const { classification, tool, question, resultCount, isDoubtful, offeringId, shown } = ownHit;
  const { id, eventDate, createdAt, clientIp, latencyMs } = occurrence;
  return toHit(
    {
      eventDate,
      // Any hit with a question is a search; `tool` shows which way it came.
      classification: question === undefined ? classification : 'search',
      method,
      path: path === null ? null : redactUrl(path),
      url: null,
      userAgent,
      clientIp,
      botScore: null,
      verifiedBot: null,
      headers: null,
      cf: null,
    },
    { id, organizationKey, source: 'service', access, createdAt, eventMs: createdAt },
    {
      tool: tool ?? null,
      question: question ?? null,
      resultCount: resultCount ?? null,
      isDoubtful: isDoubtful ?? null,
      offeringId: offeringId ?? null,
      latencyMs,
      ...(shown !== undefined && { shown: shown.slice(0, SHOWN_MAX) }),
      ...(keyId !== null && { keyId }),
      ...(session !== null && { session: contentHash(session) }),
    },
  );
}
