import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sampleFiles } from '../../../src/assets/sample-files.ts';
import {
  type IndexParts,
  type LoadIndexOptions,
  loadIndex,
} from '../../../src/operations/search/load-index.ts';
import type { Statement } from '../../../src/storage/engine/statement.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const LONG_MS = 60_000;

/** What a slice of loading may take, and what the clock of these tests goes on by with every look at it. */
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

/** An index, how many texts were read for it, and how often it let others go first. */
async function load(options: Partial<LoadIndexOptions> = {}) {
  const { db, platform, directory, meaning } = service.services;
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
  const parts = await loadIndex({
    db: { ...db, all },
    platform: { ...platform, ...clock },
    organizationKey: key,
    model: meaning.model,
    former: null,
    isWanted: () => true,
    ...options,
  });
  return { parts: parts!, textsRead, pauses };
}

/** Everything that searches find in an index, and rank by. */
function content({ index, names, facts }: IndexParts) {
  const groups = ['lamp', 'jacket', 'coffee', 'return', '1*'].map((term) => ({
    term,
    alternatives: [term],
    idf: 1,
  }));
  const scope = { shopKeys: null, productsOnly: false };
  const vector = new Float32Array(1024).fill(0.1).map((value, at) => value * Math.sin(at));
  const { candidates } = index.search({ groups, vector, scope, limit: 1000 });
  const documents = candidates.map(({ document }) => document);
  return {
    size: index.size,
    terms: Array.from({ length: index.terms.size }, (_, number) => index.terms.term(number)),
    candidates,
    facets: index.facets(documents),
    fields: documents.map((document) => index.fieldsOfGroups(document, groups)),
    names: documents.map((document) => names.nameOf(document)),
    facts: documents.map((document) => {
      const { prices, currency, measures } = facts.factsOf(document);
      return { prices, currency, measures };
    }),
  };
}

describe('loading a catalogue again', () => {
  test('reads nothing where nothing has changed, and gives the same', async () => {
    const first = await load();
    expect(first.textsRead).toBe(first.parts.index.size);
    const second = await load({ former: first.parts });
    expect(second.textsRead).toBe(0);
    expect(content(second.parts)).toEqual(content(first.parts));
  });

  test('reads only what is new, and gives what reading everything gives', async () => {
    const { parts: former } = await load();
    await service.importText(
      [
        '{"externalId":"zeppelin","name":"Zeppelin pendant lamp 40 cm","price":"12.00"}',
        '{"externalId":"lamp-desk","name":"Desk lamp with a zeppelin on it"}',
      ].join('\n'),
    );
    await service.embedAll();
    const again = await load({ former });
    expect(again.textsRead).toBe(2);
    expect(content(again.parts)).toEqual(content((await load()).parts));
  });

  test('is given up when it is not wanted any more', async () => {
    const { db, platform, directory, meaning } = service.services;
    const { key } = directory.findOrganization(service.organization.id)!;
    const options = { db, platform, organizationKey: key, model: meaning.model, former: null };
    expect(await loadIndex({ ...options, isWanted: () => false })).toBeNull();
  });
});

test('loading lets whatever waits go first after each slice, document by document', async () => {
  const first = await load();
  const { size } = first.parts.index;
  expect(first.pauses).toBeGreaterThan((size * LOOK_MS) / (SLICE_MS + LOOK_MS));
  const again = await load({ former: first.parts });
  expect(again.pauses).toBeGreaterThan((size * LOOK_MS) / (SLICE_MS + LOOK_MS));
});
