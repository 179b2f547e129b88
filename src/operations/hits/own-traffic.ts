import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import { insertHitRows, lastKeyOf } from '../../storage/hits.ts';
import { Bell } from '../instances/bell.ts';
import type { HitTally } from './hit-tally.ts';
import { type OwnEvent, prepareOwnHits } from './own-hit-rows.ts';

/** Own hits that may wait to be recorded; beyond that, new ones are dropped. */
const NOTED_MAX = 10_000;

/**
 * What is recorded in one commit, which takes about 1 ms: a request may wait for it. Less takes more time for each
 * hit. A search counts as `SEARCH_COST`; other requests are mostly alike, and share what is derived from them.
 */
const RECORDED_AT_ONCE = 320;
const SEARCH_COST = 10;

/** A queue of own hits that are not recorded yet. Noting one costs an array push. */
export class OwnTraffic {
  #noted: OwnEvent[] = [];
  readonly #bell = new Bell();
  #dropped = 0;
  #notedCount = 0;

  /** Never waits or fails: beyond the limit it drops the event and counts it. */
  note(event: OwnEvent): void {
    this.#notedCount += 1;
    if (this.#noted.length >= NOTED_MAX) this.#dropped += 1;
    else this.#noted.push(event);
    if (this.#noted.length === 1) this.#bell.ring();
  }

  /** Resolves when an event waits, or when `signal` aborts. One caller at a time. */
  filled(signal: AbortSignal): Promise<void> {
    return this.#bell.rung(this.#noted.length > 0, signal);
  }

  /** Events since the start, with those that were dropped. */
  get notedCount(): number {
    return this.#notedCount;
  }

  /** Events dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The oldest events, as many as fit into a commit. They stay in the queue until `forget`. */
  oldest(): { readonly events: readonly OwnEvent[]; readonly isFull: boolean } {
    let [count, cost] = [0, 0];
    for (; count < this.#noted.length && cost < RECORDED_AT_ONCE; count++)
      cost += this.#noted[count]!.ownHit.question === undefined ? 1 : SEARCH_COST;
    return { events: this.#noted.slice(0, count), isFull: cost >= RECORDED_AT_ONCE };
  }

  forget(count: number): void {
    this.#noted = this.#noted.slice(count);
  }
}

/**
 * Records the oldest noted events in one commit, and returns whether the commit was full. If it was not, wait for
 * more events before the next one: a commit costs as much as recording a dozen of them. Events that cannot be
 * written stay noted. No caller waits for the disk, and none is promised that its hit is recorded.
 */
export async function recordOwnTraffic({
  ownTraffic,
  hitTally,
  db,
  platform,
}: {
  readonly ownTraffic: OwnTraffic;
  readonly hitTally: HitTally;
  readonly db: Database;
  readonly platform: Platform;
}): Promise<boolean> {
  const { events, isFull } = ownTraffic.oldest();
  if (events.length === 0) return false;
  const { rows, alike } = prepareOwnHits(events, platform.newId);
  const results = await db.stage(insertHitRows(rows));
  hitTally.add(alike, { count: rows.length, last: lastKeyOf(results.at(-1)!) });
  ownTraffic.forget(events.length);
  return isFull;
}
