import type { Offering } from '../../domain/catalog.ts';
import { findPushedItems } from '../../storage/catalog/pushed-items.ts';
import type { Database } from '../../storage/engine/database.ts';
import { changeOfferInLayers } from './layers.ts';
import type { LoadedIndex, ShopStates } from './loaded-index.ts';
import type { ShownDocuments } from './shown-documents.ts';
import type { Slices } from './slices.ts';

/** Pushed offerings read in one query. */
const PUSHED_AT_ONCE = 500;

/** Applies the pushes up to the state `shops` that an index has not seen, in place. */
export async function applyMissedPushes(
  { layers, shops: known }: Pick<LoadedIndex, 'layers' | 'shops'>,
  shops: ShopStates,
  { db, shown, slices }: { db: Database; shown: ShownDocuments; slices: Slices },
): Promise<void> {
  for (const [shopKey, { pushes }] of shops) {
    const push = known.get(shopKey)?.pushes ?? 0;
    for (let after = 0; push < pushes; ) {
      const items = await findPushedItems(db, shopKey, { push, after, limit: PUSHED_AT_ONCE });
      if (items.length === 0) break;
      shown.forget(items.map(({ documentKey }) => documentKey));
      for (const { body, ...document } of items)
        changeOfferInLayers(layers, { ...document, offering: JSON.parse(body) as Offering });
      after = items.at(-1)!.key;
      await slices.pause();
    }
  }
}
