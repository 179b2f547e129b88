import { LayeredIndex } from '../../search/index/layered-index.ts';
import type { NameTable } from '../../search/index/name-table.ts';
import type { ItemFacts } from '../../search/query/filter.ts';
import type { NameSignals } from '../../search/ranking/name.ts';
import { DocumentList } from './document-list.ts';
import type { IndexParts } from './index-parts.ts';
import { type LoadIndexOptions, loadIndex } from './load-index.ts';

/**
 * Share of the base that an overlay, together with what it hides, may reach. An overlay is built
 * anew at every import, and a base of which much is hidden is searched in vain.
 */
const OVERLAY_SHARE_MAX = 1 / 8;

/** A catalogue in memory as a LayeredIndex has it. */
export interface Layers {
  readonly base: IndexParts;
  /** Null: nothing has been added since the base was loaded. */
  readonly overlay: IndexParts | null;
}

/**
 * An index over exactly these documents; null if it is not wanted any more. Where it differs little
 * from the former one, which has to be extensible, the former base stays and an overlay has what is
 * new; else a base is built, and takes over what the former one has. `former` has vectors of the same
 * model.
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

/** The documents that the base does not have, and the places of those that are not among the documents. */
async function compare(
  documents: DocumentList,
  { index }: IndexParts,
  { slices }: LoadIndexOptions,
): Promise<{ added: DocumentList; hidden: number[] }> {
  const added = new DocumentList();
  const isListed = new Uint8Array(index.placeCount);
  for (let at = 0; at < documents.size; at++) {
    await slices.pause();
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

/** What a search asks of layers; documents are named by their place in `index`. */
export interface SearchableLayers {
  readonly index: LayeredIndex;
  readonly names: Pick<NameTable, 'signals'>;
  readonly facts: { factsOf(document: number): ItemFacts };
  /** What it takes in memory. */
  readonly byteSize: number;
}

export function searchLayers({ base, overlay }: Layers): SearchableLayers {
  const byteSize = bytesOf(base);
  if (overlay === null)
    return {
      index: new LayeredIndex(base.index),
      names: base.names,
      facts: base.facts,
      byteSize,
    };
  const index = new LayeredIndex(base.index, overlay.index);
  const offset = base.index.placeCount;
  return {
    index,
    names: {
      signals: (documents, asked): NameSignals[] =>
        index.inLayers(
          documents,
          (places) => base.names.signals(places, asked),
          (places) => overlay.names.signals(places, asked),
        ),
    },
    facts: {
      factsOf: (document) =>
        document < offset ? base.facts.factsOf(document) : overlay.facts.factsOf(document - offset),
    },
    byteSize: byteSize + bytesOf(overlay),
  };
}

function bytesOf({ index, names, facts }: IndexParts): number {
  return index.byteSize + names.byteSize + facts.byteSize;
}
