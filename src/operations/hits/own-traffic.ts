import { contentHash } from '../../domain/content-hash.ts';
import { type Hit, type HitAccess, SHOWN_MAX, toHit } from '../../domain/hit.ts';
import type { OwnHit } from '../../domain/own-hit.ts';
import { canonicalAddress, redactUrl } from '../../domain/private-data.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import { countInserted } from '../../storage/hit-rollups.ts';
import { insertHits } from '../../storage/hits.ts';

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

/** Own hits that may wait to be recorded; beyond that, new ones are dropped. */
const NOTED_MAX = 10_000;

/** Own hits recorded in one commit. */
const RECORDED_AT_ONCE = 500;

/** A queue of own hits that are not recorded yet. Noting one costs an array push. */
export class OwnTraffic {
  #noted: OwnEvent[] = [];
  #dropped = 0;

  /** Never waits or fails: beyond the limit it drops the event and counts it. */
  note(event: OwnEvent): void {
    if (this.#noted.length >= NOTED_MAX) this.#dropped += 1;
    else this.#noted.push(event);
  }

  /** Events dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The oldest `count` events. They stay in the queue until `forget`. */
  oldest(count: number): readonly OwnEvent[] {
    return this.#noted.slice(0, count);
  }

  forget(count: number): void {
    this.#noted = this.#noted.slice(count);
  }
}

/**
 * Records the oldest noted events. Returns whether the batch was full: a smaller batch should wait for
 * more events, because a commit costs as much as fifty of them. Events that cannot be written stay
 * noted. No caller waits for the disk, and none is promised that its hit is recorded.
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
  const hits = events.map((event) => hitOf(platform, event));
  await db.stage([insertHits(hits), ...countInserted(hits)]);
  ownTraffic.forget(events.length);
  return events.length === RECORDED_AT_ONCE;
}

function hitOf(platform: Platform, event: OwnEvent): Hit {
  const { organizationKey, atMs, latencyMs, method, path, userAgent, clientIp } = event;
  const { access, keyId, session, ownHit } = event;
  const { classification, tool, question, resultCount, isDoubtful, offeringId, shown } = ownHit;
  return toHit(
    {
      eventDate: new Date(atMs).toISOString(),
      // Any hit with a question is a search; `tool` shows which way it came.
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
    {
      id: platform.newId(),
      organizationKey,
      source: 'service',
      access,
      createdAt: atMs,
      eventMs: atMs,
    },
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
