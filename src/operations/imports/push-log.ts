import type { OfferChange } from '../../domain/offer-change.ts';
import { Mutex } from '../instances/mutex.ts';

/** Changes of offerings, by item id, each in order. */
type OfferChanges = Map<string, OfferChange[]>;

/** What was pushed into a shop since an import of it began. */
export interface FollowedPushes extends Disposable {
  readonly changes: ReadonlyMap<string, readonly OfferChange[]>;
}

/**
 * The changes in place that are made beside running imports. What an import brings is older than they
 * are, so it repeats them when it publishes.
 */
export class PushLog {
  /** Held for the moment in which a catalogue changes. */
  readonly mutex = new Mutex();
  readonly #followers = new Map<OfferChanges, number>();

  /** Collects the shop's changes until it is disposed of. */
  follow(shopKey: number): FollowedPushes {
    const changes: OfferChanges = new Map();
    this.#followers.set(changes, shopKey);
    return { changes, [Symbol.dispose]: () => this.#followers.delete(changes) };
  }

  note(shopKey: number, pushed: Iterable<readonly [id: string, change: OfferChange]>): void {
    const followers = [...this.#followers].filter(([, followed]) => followed === shopKey);
    if (followers.length === 0) return;
    for (const [id, change] of pushed)
      for (const [changes] of followers) changes.set(id, [...(changes.get(id) ?? []), change]);
  }
}
