import { expect, test } from 'bun:test';
import { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import { buildBytesOf } from '../../../src/operations/indexes/loaded-index.ts';
import { jsonLines } from '../../support/catalog.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const never = new AbortController().signal;

const keyOf = ({ services, organization }: LocalService) =>
  services.directory.findOrganization(organization.id)!.key;

test('of catalogues that nobody asked for as many are in memory as fit, those that are asked for come first and find room', async () => {
  const many = await startService({ embedder: null });
  const keys = [keyOf(many)];
  await many.importText(jsonLines([{ externalId: 'a', name: 'lamp' }]));
  for (const slug of ['second', 'third', 'fourth', 'fifth']) {
    await many.perform('org.create', { name: slug, slug, currency: 'EUR' });
    await many.importText(jsonLines([{ externalId: 'a', name: 'lamp' }]), { organization: slug });
    keys.push(many.services.directory.findOrganization(slug)!.key);
  }
  const keeperOf = (budgetBytes: number) =>
    new IndexKeeper({ ...many.services, budgetBytes, archive: null });
  const loadAll = async (indexes: IndexKeeper) => {
    while (await indexes.loadNext(never));
  };
  const ample = keeperOf(1 << 30);
  ample.preload(keys);
  await loadAll(ample);
  const each = ample.byteSize / keys.length;
  const indexes = keeperOf(each * 2.5);
  indexes.preload(keys);
  const last = keys.at(-1)!;
  expect(indexes.find(last)).toBeNull();
  await indexes.loadNext(never);
  expect(indexes.find(last)).not.toBeNull();
  await loadAll(indexes);
  expect(indexes.byteSize).toBe(each * 2);
  expect(indexes.find(last)).not.toBeNull();
  const [, second] = keys;
  expect(indexes.find(second!)).toBeNull();
  await loadAll(indexes);
  expect(indexes.find(second!)).not.toBeNull();
  // In place of the one that nobody has searched.
  expect(indexes.find(last)).not.toBeNull();
  expect(indexes.byteSize).toBe(each * 2);

  // Each can be built alone, but not beside another one.
  const buildBytes = buildBytesOf({ documentCount: 1, dimensions: 0 });
  const onMachine = (bytes: number) => {
    const platform = { ...many.platform, memoryBytes: () => 150 * 1024 ** 2 + bytes };
    return new IndexKeeper({ ...many.services, platform, budgetBytes: 1 << 30, archive: null });
  };
  const small = onMachine(buildBytes + each / 2);
  for (const key of [last, second!]) {
    expect(small.find(key)).toBeNull();
    await loadAll(small);
    expect(small.find(key)).not.toBeNull();
    expect(small.byteSize).toBe(each);
  }
  expect(small.shortageFor(1)).toBeNull();
  const tooSmall = onMachine(buildBytes - 1);
  expect(tooSmall.find(last)).toBeNull();
  await loadAll(tooSmall);
  expect(tooSmall.byteSize).toBe(0);
  expect(tooSmall.shortageFor(1)).toMatchObject({ of: 'build' });
  await many.close();
});

test('a catalogue with a damaged document is tried again after a rest or once it has changed, not at once', async () => {
  const service = await startService({ embedder: null });
  const { db, indexes } = service.services;
  const rows = [
    { externalId: 'a', name: 'lamp' },
    { externalId: 'b', name: 'sofa' },
  ];
  await service.importText(jsonLines(rows));
  const key = keyOf(service);
  await db.write([{ sql: "UPDATE items SET body = '!' WHERE external_id = 'a'", args: [] }]);
  const tries = async () => {
    expect(indexes.find(key)).toBeNull();
    let count = 0;
    while (count < 3 && (await indexes.loadNext(never))) count += 1;
    return count;
  };
  expect(await tries()).toBe(1);
  expect(await tries()).toBe(0);
  service.platform.advance(60_000);
  expect(await tries()).toBe(1);
  await service.importText(jsonLines([{ ...rows[0], name: 'oak lamp' }]));
  expect(await tries()).toBe(1);
  expect(indexes.find(key)).not.toBeNull();
  await service.close();
});
