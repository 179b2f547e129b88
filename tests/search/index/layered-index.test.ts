import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LayeredIndex } from '../../../src/search/index/layered-index.ts';
import { foundRows } from '../../support/found-rows.ts';
import { buildIndex, finish } from '../../support/indexed-database.ts';
import {
  arbitraryDocuments,
  arbitraryScope,
  arbitraryTerms,
  arbitraryVector,
  DIMENSIONS,
  EVERYWHERE,
  group,
  WORDS,
} from './arbitrary-documents.ts';

/** A catalogue, with the documents hidden in the base and those in the overlay. */
const arbitraryLayers = arbitraryDocuments.chain((documents) =>
  fc.record({
    documents: fc.constant(
      documents.map((document, at) => ({
        ...document,
        vendor: ['Kiln', 'Acme', null][at % 3]!,
        tags: [`t${at % 4}`, `u${at % 2}`],
        currency: at % 5 === 0 ? 'USD' : 'EUR',
        priceMinor: at % 7 === 0 ? null : at * 100,
      })),
    ),
    lots: fc.array(fc.constantFrom('base', 'base', 'hidden', 'overlay'), {
      minLength: documents.length,
      maxLength: documents.length,
    }),
  }),
);

function layersOf({
  documents,
  lots,
}: typeof arbitraryLayers extends fc.Arbitrary<infer T> ? T : never) {
  const lotOf = (at: number) => lots[at]!;
  const base = documents.filter((_, at) => lotOf(at) !== 'overlay');
  const hidden = base.flatMap((document, place) =>
    lotOf(documents.indexOf(document)) === 'hidden' ? [place] : [],
  );
  const overlay = documents.filter((_, at) => lotOf(at) === 'overlay');
  const layered = new LayeredIndex(
    finish(buildIndex(base, DIMENSIONS).hiding(hidden)),
    overlay.length === 0 ? null : buildIndex(overlay, DIMENSIONS),
  );
  const visible = documents.filter((_, at) => lotOf(at) !== 'hidden');
  return { layered, fresh: new LayeredIndex(buildIndex(visible, DIMENSIONS)), visible };
}

test('a base with hidden documents and an overlay answers like one index over the visible documents', () => {
  fc.assert(
    fc.property(
      arbitraryLayers,
      arbitraryTerms,
      arbitraryVector,
      arbitraryScope,
      fc.integer({ min: 1, max: 40 }),
      (layers, terms, vector, scope, limit) => {
        const { layered, fresh } = layersOf(layers);
        const groups = terms.map((term) => group(term));
        const ask = (index: LayeredIndex) => {
          const found = index.search({ groups, vector, scope, limit });
          const candidates = foundRows(index, found);
          const places = [...found.documents];
          const asked = { groups, weights: groups.map((_, at) => at + 1) };
          return {
            size: index.size,
            candidates: candidates.map(({ document: _, ...candidate }) => candidate),
            texts: Array.from(index.textScores(found.documents, asked)),
            fields: places.map((place) => index.fieldFinder(groups).find(place)),
            generations: places.map((place) => index.generation(place)),
            common: Array.from(index.measureCommon(found.documents, places.slice(0, 3))),
            facets: index.facets(found.documents),
          };
        };
        expect(ask(layered)).toEqual(ask(fresh));
        // A search leaves no state for the next one.
        expect(ask(layered)).toEqual(ask(fresh));
      },
    ),
    { numRuns: 30 },
  );
}, 60_000);

test('terms, their counts and missing vectors are those of the visible documents', () => {
  const range = fc.record({
    prefix: fc.constantFrom('', 'r', 're', 'l', 's', '沙', '𠮷', 'q'),
    lengthMin: fc.integer({ min: 0, max: 4 }),
    lengthMax: fc.integer({ min: 2, max: 12 }),
    limit: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(arbitraryLayers, range, (layers, query) => {
      const { layered, fresh } = layersOf(layers);
      expect(layered.countDocuments(WORDS)).toEqual(fresh.countDocuments(WORDS));
      expect(layered.findTerms(query)).toEqual(fresh.findTerms(query));
      expect(new Set(layered.lackingVectors(40))).toEqual(new Set(fresh.lackingVectors(40)));
      expect(layered.lackingVectors(2)).toHaveLength(fresh.lackingVectors(2).length);
    }),
    { numRuns: 30 },
  );
}, 60_000);

test('a late vector is set in the layer that holds the document, and in none that hides it', () => {
  fc.assert(
    fc.property(arbitraryLayers, (layers) => {
      const { layered, fresh, visible } = layersOf(layers);
      const vector = Float32Array.from({ length: DIMENSIONS }, (_, at) => at + 1);
      for (const { documentKey } of layers.documents) {
        const isVisible = visible.some((document) => document.documentKey === documentKey);
        expect(layered.setVector(documentKey, vector)).toBe(isVisible);
        fresh.setVector(documentKey, vector);
      }
      const query = { groups: [], vector, scope: EVERYWHERE, limit: 40 };
      const keys = (index: LayeredIndex) =>
        foundRows(index, index.search(query)).map(({ documentKey, cosine }) => [
          documentKey,
          cosine,
        ]);
      expect(keys(layered)).toEqual(keys(fresh));
      expect(layered.lackingVectors(40)).toEqual([]);
    }),
    { numRuns: 20 },
  );
}, 60_000);
