import { DocumentList } from './document-list.ts';
import type { Layers } from './layers.ts';
import { type LoadIndexOptions, loadIndex } from './load-index.ts';

/**
 * The most documents in the overlay and hidden in the base, as a share of the base. Every import
 * rebuilds the overlay, and hidden documents still cost time in each search.
 */
const OVERLAY_SHARE_MAX = 1 / 8;

/** Documents looked for in the base between two pauses. */
const COMPARED_AT_ONCE = 4096;

/**
 * Loads an index over exactly these documents; null if it is no longer wanted. If it differs little
 * from an extensible former index, the former base stays and an overlay holds the new documents.
 * Otherwise a new base is built, which copies unchanged documents from the former one. `former`
 * must have vectors of the same model.
 */
export async function loadLayers(
  documents: DocumentList,
  { former, isExtensible }: { former: Layers | null; isExtensible: boolean },
  options: LoadIndexOptions,
): Promise<Layers | null> {
  if (former !== null && isExtensible) {
    const { added, hidden } = await compare(documents, former.base, options);
    const changeCount = added.size + hidden.length;
    if (changeCount <= former.base.index.placeCount * OVERLAY_SHARE_MAX) {
      const overlay = added.size === 0 ? null : await loadIndex(added, former.overlay, options);
      if (overlay === null && added.size > 0) return null;
      const index = await options.slices.run(former.base.index.hiding(hidden));
      return { base: { ...former.base, index }, overlay };
    }
  }
  const base = await loadIndex(documents, former?.base ?? null, options);
  return base && { base, overlay: null };
}

/**
 * The documents that the base lacks, and the places in the base of documents that are not listed.
 */
async function compare(
  documents: DocumentList,
  { index }: Layers['base'],
  { slices }: LoadIndexOptions,
): Promise<{ added: DocumentList; hidden: number[] }> {
  const added = new DocumentList(documents.size + 1);
  const isListed = new Uint8Array(index.placeCount);
  for (let at = 0; at < documents.size; at++) {
    if (at % COMPARED_AT_ONCE === 0) await slices.pause();
    const [documentKey, generation] = [documents.key(at), documents.generation(at)];
    const place = index.find(documentKey, generation);
    if (place < 0) added.add({ documentKey, generation });
    else isListed[place] = 1;
  }
  const hidden: number[] = [];
  for (let place = 0; place < isListed.length; place++)
    if (isListed[place] === 0) hidden.push(place);
  return { added, hidden };
}
