import { type Hit, toHit } from '../../domain/hit.ts';
import { canonicalAddress, redactUrl } from '../../domain/private-data.ts';
import type { Trace } from '../../domain/traffic.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import { insertHits } from '../../storage/hits.ts';

/** What a caller did in a request to the service, as it is noted while the answer goes out. */
export interface OwnEvent {
  readonly organizationKey: number;
  readonly atMs: number;
  readonly latencyMs: number;
  /** Null where the request did not come over HTTP. */
  readonly method: string | null;
  /** With its query; null where the request did not come over HTTP. */
  readonly path: string | null;
  readonly userAgent: string | null;
  /** Empty where the caller has none. */
  readonly clientIp: string;
  readonly trace: Trace;
}

/** Traces that may wait to be recorded; further ones are dropped rather than waited for. */
const NOTED_MAX = 10_000;

/** Traces recorded at once. */
const RECORDED_AT_ONCE = 500;

/** The service's own traffic on its way to the record of hits. Noting costs a push. */
export class OwnTraffic {
  #noted: OwnEvent[] = [];
  #dropped = 0;

  /** Never waits, never fails: beyond the limit an event is dropped, and counted. */
  note(event: OwnEvent): void {
    if (this.#noted.length >= NOTED_MAX) this.#dropped += 1;
    else this.#noted.push(event);
  }

  /** Events dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The oldest ones. They stay until they are `forget`ed. */
  oldest(count: number): readonly OwnEvent[] {
    return this.#noted.slice(0, count);
  }

  forget(count: number): void {
    this.#noted = this.#noted.slice(count);
  }
}

/**
 * Records the oldest noted events, and says whether there were as many as are recorded at once: fewer
 * had better gather, because a commit costs as much as fifty of them. What cannot be written stays
 * noted. Nobody was told that it is recorded: nobody waits for the disk.
 */
export async function recordOwnTraffic({
  ownTraffic,
  db,
  platform,
}: {
  readonly ownTraffic: OwnTraffic;
  readonly db: Database;
  readonly platform: Platform;
}): Promise<boolean> {
  const events = ownTraffic.oldest(RECORDED_AT_ONCE);
  if (events.length === 0) return false;
  await db.stage([insertHits(events.map((event) => hitOf(platform, event)))]);
  ownTraffic.forget(events.length);
  return events.length === RECORDED_AT_ONCE;
}

function hitOf(platform: Platform, event: OwnEvent): Hit {
  const { organizationKey, atMs, latencyMs, method, path, userAgent, clientIp, trace } = event;
  const { classification, tool, question, resultCount, offeringId } = trace;
  return toHit(
    {
      eventDate: new Date(atMs).toISOString(),
      // A question is a search, whichever way it came; the tool says which.
      classification: question === undefined ? classification : 'search',
      method,
      path: path === null ? null : redactUrl(path),
      url: null,
      userAgent,
      clientIp: canonicalAddress(clientIp),
      botScore: null,
      verifiedBot: null,
      headers: null,
      cf: null,
    },
    { id: platform.newId(), organizationKey, source: 'service', createdAt: atMs, eventMs: atMs },
    {
      tool: tool ?? null,
      question: question ?? null,
      resultCount: resultCount ?? null,
      offeringId: offeringId ?? null,
      latencyMs,
    },
  );
}
