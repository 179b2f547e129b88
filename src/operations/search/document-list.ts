import { NumberList } from '../../search/index/document-columns.ts';
import {
  findVisibleDocuments,
  type VisibleDocument,
} from '../../storage/catalog/searchable-rows.ts';
import type { ShownAhead } from '../../storage/catalog/visible.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Slices } from './slices.ts';

/** Documents listed in one query: about 3 ms. */
const LISTED_AT_ONCE = 1000;

/** Documents in key order, each with the generation at which it was written; 12 bytes each. */
export class DocumentList {
  readonly #keys = new NumberList((length) => new Float64Array(length));
  readonly #generations = new NumberList((length) => new Uint32Array(length));

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
