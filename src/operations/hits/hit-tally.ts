import { type CountedAlike, TalliedHits } from '../../storage/hit-tally.ts';

/** Parts that are kept; when more wait, the oldest are counted from the rows. */
const PARTS_MAX = 100;

/**
 * Hits of a part to which hits of another instance put an end: to count fewer from their rows, together with those,
 * takes less than a transaction of their own.
 */
const INTERRUPTED_MIN = 500;

/**
 * Sums hits in memory as they are inserted, because to read and parse them again takes longer than to insert them.
 * What it holds is lost with the process. The next one counts those hits from their rows.
 */
export class HitTally {
  #parts: TalliedHits[] = [];
  /** Whether the last part takes more hits. */
  #isOpen = false;

  /** Adds hits that were inserted in one transaction. `last`: the key of the last of them. */
  add(alike: readonly CountedAlike[], { count, last }: { count: number; last: number }): void {
    const after = last - count;
    let part = this.#isOpen ? this.#parts.at(-1) : undefined;
    if (part === undefined || part.isFull || part.last !== after) {
      const isInterrupted = part !== undefined && !part.isFull;
      if (isInterrupted && part!.count < INTERRUPTED_MIN) this.#parts.pop();
      part = new TalliedHits(after);
      this.#parts.push(part);
      if (this.#parts.length > PARTS_MAX) this.#parts.shift();
      this.#isOpen = true;
    }
    part.add(alike, last);
  }

  /** Whether parts wait that take no more hits. */
  get isBehind(): boolean {
    return this.#parts.length > 1;
  }

  /** The oldest part, which then takes no more hits; null if there is none. It stays until `forget`. */
  oldest(): TalliedHits | null {
    if (this.#parts.length === 1) this.#isOpen = false;
    return this.#parts[0] ?? null;
  }

  forget(part: TalliedHits): void {
    this.#parts = this.#parts.filter((kept) => kept !== part);
  }
}
