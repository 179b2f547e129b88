import { NumberList } from '../../search/index/packing.ts';
import {
  findEndedDocuments,
  findStagedDocuments,
  findVisibleDocuments,
  type VisibleDocument,
} from '../../storage/catalog/searchable-rows.ts';
import type { ShownAhead } from '../../storage/catalog/visible.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { IndexParts } from './index-parts.ts';
import type { Layers } from './layers.ts';
import type { Slices } from './slices.ts';

/** Documents listed in one query: about 1 ms. */
const LISTED_AT_ONCE = 2000;

/** Documents of an index that are compared between two pauses. */
const LOOKED_AT_ONCE = 4096;

/** Documents in key order, each with the generation at which it was written; 12 bytes each. */
export class DocumentList {
  readonly #keys: NumberList<Float64Array>;
  readonly #generations: NumberList<Uint32Array>;

  /** `capacity`: about how many there will be at most. A list that grows leaves twice its memory behind. */
  constructor(capacity = 1024) {
    this.#keys = new NumberList((length) => new Float64Array(length), capacity);
    this.#generations = new NumberList((length) => new Uint32Array(length), capacity);
  }

  get size(): number {
    return this.#keys.length;
  }

  add({ documentKey, generation }: VisibleDocument): void {
    this.#keys.push(documentKey);
    this.#generations.push(generation);
  }

  key(at: number): number {
    return this.#keys.values[at]!;
  }

  generation(at: number): number {
    return this.#generations.values[at]!;
  }
}

/** The visible documents of an organization: the current ones or, with `ahead`, the future ones. */
export async function listDocuments(
  db: Database,
  organizationKey: number,
  { ahead, slices }: { ahead: ShownAhead | null; slices: Slices },
): Promise<DocumentList> {
  const list = new DocumentList();
  for (let after = 0; ; ) {
    await slices.pause();
    const limit = LISTED_AT_ONCE * db.batchFactor;
    const query = { after, limit, ahead };
    const page = await findVisibleDocuments(db, organizationKey, query);
    for (const document of page) list.add(document);
    if (page.length < limit) return list;
    after = page.at(-1)!.documentKey;
  }
}

/**
 * The documents that will be visible once a shop shows its next generation. Reads only what changes:
 * the layers show what is visible now. `staged`: the index of the new ones; null without one.
 */
export async function listChanged(
  db: Database,
  { base, overlay }: Layers,
  { ahead, staged, slices }: { ahead: ShownAhead; staged: IndexParts | null; slices: Slices },
): Promise<DocumentList> {
  const limit = LISTED_AT_ONCE * db.batchFactor;
  const ended = new Set<number>();
  for (let after = 0; ; ) {
    const page = await findEndedDocuments(db, ahead, { after, limit });
    for (const key of page) ended.add(key);
    if (page.length < limit) break;
    after = page.at(-1)!;
    await slices.pause();
  }
  const present = [base, overlay, staged].filter((parts) => parts !== null);
  const list = new DocumentList(present.reduce((sum, { index }) => sum + index.size, 1));
  for (const { index } of present)
    for (let place = 0; place < index.placeCount; place++) {
      if (place % LOOKED_AT_ONCE === 0) await slices.pause();
      const document = index.visibleAt(place);
      if (document !== null && !ended.has(document.documentKey)) list.add(document);
    }
  if (staged !== null) return list;
  for (let after = 0; ; ) {
    const page = await findStagedDocuments(db, ahead, { after, limit });
    for (const document of page) list.add(document);
    if (page.length < limit) return list;
    after = page.at(-1)!.documentKey;
    await slices.pause();
  }
}
