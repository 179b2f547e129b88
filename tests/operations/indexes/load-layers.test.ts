import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sampleFiles } from '../../../src/assets/sample-files.ts';
import { listDocuments } from '../../../src/operations/indexes/document-list.ts';
import { type Layers, searchLayers } from '../../../src/operations/indexes/layers.ts';
import { loadLayers } from '../../../src/operations/indexes/load-layers.ts';
import { Slices } from '../../../src/operations/indexes/slices.ts';
import type { Statement } from '../../../src/storage/engine/statement.ts';
import { ENGLISH } from '../../support/english.ts';
import { foundRows } from '../../support/found-rows.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const LONG_MS = 60_000;

/** The length of a slice, and the step by which the tests' clock advances at each reading. */
const SLICE_MS = 8;
const LOOK_MS = 1;

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await service.importText(sampleFiles().offerings.replaceAll('"pictures/', '"https://x.example/'));
  for (const { text } of sampleFiles().contexts)
    await service.importText(text, { format: 'markdown' });
  await service.embedAll();
}, LONG_MS);

afterAll(() => service.close());

/** Layers, the number of texts read for them, and how often loading yielded. */
async function load({
  former = null,
  isExtensible = true,
  isWanted = () => true,
}: {
  former?: Layers | null;
  isExtensible?: boolean;
  isWanted?: () => boolean;
} = {}) {
  const { db, platform, directory, embeddings } = service.services;
  const { key } = directory.findOrganization(service.organization.id)!;
  let textsRead = 0;
  let nowMs = 0;
  let pauses = 0;
  const all = <Row>(statement: Statement) => {
    if (statement.sql.includes('body')) textsRead += JSON.parse(statement.args[1] as string).length;
    return db.all<Row>(statement);
  };
  const yieldOnce = () => {
    pauses += 1;
    return platform.yield();
  };
  const clock = { monotonicMs: () => (nowMs += LOOK_MS), yield: yieldOnce };
  const slices = new Slices({ ...platform, ...clock });
  const documents = await listDocuments(db, key, { ahead: null, slices });
  const languageOfShop = () => ENGLISH;
  const { model } = embeddings;
  const options = { db: { ...db, all }, slices, languageOfShop, model, staged: null, isWanted };
  const layers = await loadLayers(documents, { former, isExtensible }, options);
  return { layers: layers!, textsRead, pauses };
}

/**
 * Everything that searches find in layers and rank by, without places, which depend on the layers.
 */
function content(layers: Layers) {
  const { index, names, facts } = searchLayers(layers);
  const groups = ['lamp', 'jacket', 'coffee', 'return', '1*'].map((term) => ({
    term,
    alternatives: [term],
    idf: 1,
  }));
  const scope = { shopKeys: null, productsOnly: false };
  const vector = new Float32Array(1024).fill(0.1).map((value, at) => value * Math.sin(at));
  const found = index.search({ groups, vector, scope, limit: 1000 });
  const { documents } = found;
  return {
    size: index.size,
    terms: index.findTerms({ prefix: 'l', lengthMin: 0, lengthMax: 99, limit: 1000 }),
    candidates: foundRows(index, found).map(({ document: _, ...candidate }) => candidate),
    facets: index.facets(documents),
    fields: Array.from(documents, (document) => index.fieldFinder(groups).find(document)),
    names: names.signals(documents, { groups, headGroup: 0, accessories: new Set<string>() }),
    facts: Array.from(documents, (document) => {
      const { prices, currency, measures } = facts.factsOf(document);
      return { prices, currency, measures };
    }),
  };
}

describe('loading a catalogue again', () => {
  test('reads nothing if nothing has changed, and gives the same answers', async () => {
    const first = await load();
    expect(first.textsRead).toBe(first.layers.base.index.size);
    for (const isExtensible of [true, false]) {
      const second = await load({ former: first.layers, isExtensible });
      expect(second.textsRead).toBe(0);
      expect(second.layers.overlay).toBeNull();
      expect(content(second.layers)).toEqual(content(first.layers));
    }
  });

  test('reads only what is new, and gives what reading everything gives: the former base and an overlay, or a new base', async () => {
    const { layers: former } = await load();
    await service.importText(
      [
        '{"externalId":"zeppelin","name":"Zeppelin pendant lamp 40 cm","price":"12.00"}',
        '{"externalId":"lamp-desk","name":"Desk lamp with a zeppelin on it"}',
      ].join('\n'),
    );
    await service.embedAll();
    const fresh = content((await load()).layers);
    const extended = await load({ former });
    expect(extended.layers.base.id).toBe(former.base.id);
    expect(extended.layers.overlay!.index.size).toBe(2);
    const renewed = await load({ former, isExtensible: false });
    expect(renewed.layers.overlay).toBeNull();
    for (const { layers, textsRead } of [extended, renewed]) {
      expect(textsRead).toBe(2);
      expect(content(layers)).toEqual(fresh);
    }
    await service.importText('{"externalId":"zeppelin","name":"Zeppelin lamp","price":"9.00"}');
    await service.embedAll();
    const again = await load({ former: extended.layers });
    expect(again.textsRead).toBe(1);
    expect(content(again.layers)).toEqual(content((await load()).layers));
  });

  test('builds a new base once an eighth of it has changed', async () => {
    const { layers: former } = await load();
    const count = Math.ceil(former.base.index.size / 8) + 1;
    const rows = Array.from(
      { length: count },
      (_, at) => `{"externalId":"n${at}","name":"No ${at}"}`,
    );
    await service.importText(rows.join('\n'));
    await service.embedAll();
    const { layers, textsRead } = await load({ former });
    expect(textsRead).toBe(count);
    expect(layers.overlay).toBeNull();
    expect(content(layers)).toEqual(content((await load()).layers));
  });

  test('stops when it is no longer wanted', async () => {
    expect((await load({ isWanted: () => false })).layers).toBeNull();
  });
});

test('loading yields to waiting tasks after each slice', async () => {
  const first = await load();
  const { size } = first.layers.base.index;
  expect(first.pauses).toBeGreaterThan((size * LOOK_MS) / (SLICE_MS + LOOK_MS));
  const again = await load({ former: first.layers, isExtensible: false });
  expect(again.pauses).toBeGreaterThan((size * LOOK_MS) / (SLICE_MS + LOOK_MS));
});
