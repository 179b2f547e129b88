import type { ChosenSearch } from '../../storage/chosen-searches.ts';

/** A choice belongs to a question that its visitor asked at most this long before. */
export const ASKED_BEFORE_MS = 30 * 60_000;

/** Clocks of several senders differ: a question may seem to be asked this long after its answer was chosen. */
const SKEW_MS = 2000;

/** The latest questions that are kept of a visitor. */
const ASKS_OF_VISITOR = 4;

/** Visitors whose questions are kept; those who asked least recently go first. About 5 KB each. */
const VISITORS_MAX = 10_000;

/** A question that a visitor asked. */
export interface Ask extends Pick<ChosenSearch, 'question' | 'day' | 'agentKind' | 'access'> {
  /** The hit that is the search. */
  readonly hitKey: number;
  readonly atMs: number;
  /** Ids of the first results, best first; null if it is not known what was shown. */
  readonly shown: readonly string[] | null;
}

/** The questions that visitors have just asked. */
export class RecentAsks {
  readonly #byVisitor = new Map<string, readonly Ask[]>();

  remember(visitor: string, ask: Ask): void {
    const earlier = this.#byVisitor.get(visitor) ?? [];
    this.#byVisitor.delete(visitor);
    this.#byVisitor.set(visitor, [...earlier, ask].slice(-ASKS_OF_VISITOR));
    if (this.#byVisitor.size > VISITORS_MAX)
      this.#byVisitor.delete(this.#byVisitor.keys().next().value!);
  }

  /**
   * The question that a visitor chose an item for: the latest one that showed it, else the latest
   * one of which it is not known what it showed. Null if there is none.
   */
  before(visitor: string, { atMs, itemId }: { atMs: number; itemId: string }): Ask | null {
    const asks = (this.#byVisitor.get(visitor) ?? []).filter(
      (ask) => ask.atMs <= atMs + SKEW_MS && ask.atMs >= atMs - ASKED_BEFORE_MS,
    );
    return (
      asks.findLast(({ shown }) => shown?.includes(itemId) === true) ??
      asks.findLast(({ shown }) => shown === null) ??
      null
    );
  }

  clear(): void {
    this.#byVisitor.clear();
  }
}
