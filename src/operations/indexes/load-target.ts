import type { ShownAhead } from '../../storage/catalog/visible.ts';
import type { LoadedIndex, ShopStates } from './loaded-index.ts';

/** A generation of a shop that is about to become visible. */
export interface StagedCatalogue {
  readonly generation: number;
  /** The packed index of its new documents, by words alone; null or absent if there is none. */
  readonly staged?: readonly ArrayBuffer[] | null;
}

/** What to load: a catalogue's present state, or the next one. */
export interface Target {
  readonly organizationKey: number;
  readonly shops: ShopStates;
  /** Null: the present state. */
  readonly ahead: ShownAhead | null;
  readonly former: LoadedIndex | null;
  /** The packed index of what an import has staged; null without one. */
  readonly staged: readonly ArrayBuffer[] | null;
  readonly isWanted: () => boolean;
  /** Takes the index in the same step that completes it, so that no push falls in between. */
  take(index: LoadedIndex): void;
}

/**
 * A generation number that was rolled back is reused with other documents, so nothing of it may
 * stay.
 */
export function isRollback({ ahead, former }: Pick<Target, 'ahead' | 'former'>): boolean {
  if (ahead === null || former === null) return false;
  return ahead.generation < former.shops.get(ahead.shopKey)!.generation;
}
