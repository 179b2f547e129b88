import type { FoundDocuments } from '../../src/search/index/index-search.ts';
import type { LayeredIndex } from '../../src/search/index/layered-index.ts';
import type { MemoryIndex } from '../../src/search/index/memory-index.ts';

/** What a search found, and what the index stores of it, as an object for each document. */
export function foundRows(index: MemoryIndex | LayeredIndex, found: FoundDocuments) {
  return Array.from(found.documents, (document, at) => {
    const cosine = found.cosines[at]!;
    return {
      ...storedIn(index, document),
      document,
      bm25: found.bm25[at]!,
      cosine: Number.isNaN(cosine) ? null : cosine,
      groups: found.groups[at]!,
      typedGroups: found.typedGroups[at]!,
      isWordMatch: found.isWordMatch(at),
      isVectorMatch: found.isVectorMatch(at),
    };
  });
}

function storedIn(index: MemoryIndex | LayeredIndex, document: number) {
  const { documentKey, itemKey, id, type, available } =
    'stored' in index ? index.stored.factsOf(document) : index.storedOf(document);
  return { documentKey, itemKey, id, isContext: type === 'context', available };
}
