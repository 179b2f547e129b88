import type { Platform } from '../../platform.ts';
import { Bell } from '../instances/bell.ts';
import { isSame, type ShopStates } from './loaded-index.ts';

/** A catalogue that is to be loaded. */
export interface QueuedLoad {
  readonly organizationKey: number;
  /** Whether somebody needs it now, and not only may need it soon. */
  readonly isAsked: boolean;
}

/** The catalogues that are to be loaded: first those that somebody asked for, in the order of asking. */
export class LoadQueue {
  readonly #asked = new Set<number>();
  readonly #preloads = new Set<number>();
  readonly #bell = new Bell();

  get isEmpty(): boolean {
    return this.#asked.size === 0 && this.#preloads.size === 0;
  }

  ask(organizationKey: number): void {
    this.#preloads.delete(organizationKey);
    this.#asked.add(organizationKey);
    this.#bell.ring();
  }

  /** Adds catalogues that nobody has asked for yet. */
  preload(organizationKeys: Iterable<number>): void {
    for (const key of organizationKeys) if (!this.#asked.has(key)) this.#preloads.add(key);
    this.#bell.ring();
  }

  /** Resolves when a catalogue waits, or when `signal` aborts. One caller at a time. */
  filled(signal: AbortSignal): Promise<void> {
    return this.#bell.rung(!this.isEmpty, signal);
  }

  /** Leaves only the catalogues that somebody asked for. */
  stopPreloading(): void {
    this.#preloads.clear();
  }

  forget(organizationKey: number): void {
    this.#asked.delete(organizationKey);
    this.#preloads.delete(organizationKey);
  }

  /** Removes and returns the first one. */
  take(): QueuedLoad | null {
    const isAsked = this.#asked.size > 0;
    const queue = isAsked ? this.#asked : this.#preloads;
    const [organizationKey] = queue;
    if (organizationKey === undefined) return null;
    queue.delete(organizationKey);
    return { organizationKey, isAsked };
  }
}

/** States of catalogues that are not worth loading for a while. */
export class RestingLoads {
  readonly #platform: Pick<Platform, 'monotonicMs'>;
  readonly #states = new Map<number, { readonly shops: ShopStates; readonly untilMs: number }>();

  constructor(platform: Pick<Platform, 'monotonicMs'>) {
    this.#platform = platform;
  }

  /** `restMs`: by default as long as the catalogue has this state. */
  add(organizationKey: number, shops: ShopStates, restMs = Number.POSITIVE_INFINITY): void {
    const untilMs = this.#platform.monotonicMs() + restMs;
    this.#states.set(organizationKey, { shops, untilMs });
  }

  has(organizationKey: number, shops: ShopStates): boolean {
    const resting = this.#states.get(organizationKey);
    if (resting === undefined || !isSame(resting.shops, shops)) return false;
    return this.#platform.monotonicMs() < resting.untilMs;
  }
}
