import type { FactTable } from '../../search/index/fact-table.ts';
import { LayeredIndex } from '../../search/index/layered-index.ts';
import type { NameTable } from '../../search/index/name-table.ts';
import type { Packing, Unpacking } from '../../search/index/packing.ts';
import type { NameSignals } from '../../search/ranking/name.ts';
import {
  type ChangedOffer,
  changeOfferIn,
  type IndexParts,
  packParts,
  unpackParts,
} from './index-parts.ts';

/** The layers of a LayeredIndex. */
export interface Layers {
  readonly base: IndexParts;
  /** Null: nothing has been added since the base was loaded. */
  readonly overlay: IndexParts | null;
}

/** Refers to the arrays of the layers and does not copy them. Vectors may be set meanwhile. */
export function packLayers(layers: Layers, to: Packing): void {
  packParts(layers.base, to);
  packChanges(layers, to);
}

/** As `packLayers`, without the documents of the base: what has changed since it was built. */
export function packChanges({ base, overlay }: Layers, to: Packing): void {
  to.add(base.index.hiddenPlaces(), Uint8Array.of(overlay === null ? 0 : 1));
  if (overlay !== null) packParts(overlay, to);
}

/** Yields every few milliseconds. */
export function* unpackLayers(from: Unpacking): Generator<void, Layers> {
  return yield* unpackChanges(yield* unpackParts(from), from);
}

/** The base with other changes than it had. Yields every few milliseconds. */
export function* unpackChanges(base: IndexParts, from: Unpacking): Generator<void, Layers> {
  const index = yield* base.index.hiding(from.take(Uint32Array));
  const hasOverlay = from.take(Uint8Array)[0] === 1;
  return { base: { ...base, index }, overlay: hasOverlay ? yield* unpackParts(from) : null };
}

/** Replaces prices and availability in place, in the layer that holds the document. */
export function changeOfferInLayers({ base, overlay }: Layers, offer: ChangedOffer): void {
  changeOfferIn(base, offer);
  if (overlay !== null) changeOfferIn(overlay, offer);
}

/** The interface that searches use; documents are identified by their place in `index`. */
export interface SearchableLayers {
  readonly index: LayeredIndex;
  readonly names: Pick<NameTable, 'signals'>;
  readonly facts: Pick<FactTable, 'factsOf' | 'servicesAmong'>;
  /** Bytes of memory. */
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
      servicesAmong: (documents) =>
        index.inLayers(
          documents,
          (places) => base.facts.servicesAmong(places),
          (places) => overlay.facts.servicesAmong(places),
        ),
    },
    byteSize: byteSize + bytesOf(overlay),
  };
}

function bytesOf({ index, names, facts }: IndexParts): number {
  return index.byteSize + names.byteSize + facts.byteSize;
}
