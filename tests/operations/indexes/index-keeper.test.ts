import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { IndexArchive } from '../../../src/operations/indexes/index-archive.ts';
import { IndexFiles } from '../../../src/operations/indexes/index-files.ts';
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

test('a catalogue with a damaged document is searched without it', async () => {
  const service = await startService({ embedder: null });
  const { db, indexes } = service.services;
  await service.importText(
    jsonLines([
      { externalId: 'a', name: 'lamp' },
      { externalId: 'b', name: 'sofa' },
    ]),
  );
  await db.write([{ sql: "UPDATE items SET body = '!' WHERE external_id = 'a'", args: [] }]);
  const loaded = await indexes.forSearch(keyOf(service));
  expect(loaded.index.size).toBe(1);
  expect(db.activity.damagedTexts).toBeGreaterThan(0);
  await service.close();
});

test('a search loads its catalogue, all that wait share one load, and none but those of a command waits later than five seconds after it began', async () => {
  const service = await startService({ embedder: null });
  const { db, directory, platform } = service.services;
  await service.importText(jsonLines([{ externalId: 'a', name: 'lamp' }]));
  const key = keyOf(service);
  let reads = 0;
  let held: Promise<void> | null = null;
  const all: typeof db.all = async (statement) => {
    if (!statement.sql.includes('json_group_array')) return db.all(statement);
    reads += 1;
    await held;
    return db.all(statement);
  };
  const slow = Object.assign(Object.create(db), { all });
  const indexes = new IndexKeeper({
    ...{ ...service.services, db: slow, budgetBytes: 1 << 30, archive: null },
  });
  const [first, second] = await Promise.all([indexes.forSearch(key), indexes.forSearch(key)]);
  expect(first).toBe(second);
  const readsOfOne = reads;
  await new IndexKeeper({
    ...{ ...service.services, db: slow, budgetBytes: 1 << 30, archive: null },
  }).forSearch(key);
  expect(reads).toBe(2 * readsOfOne);

  // A second instance has imported, and this one cannot read it yet.
  const reading = Promise.withResolvers<void>();
  held = reading.promise;
  await db.write([{ sql: 'UPDATE shops SET revision = revision + 2', args: [] }]);
  await directory.reload();
  const early = indexes.forSearch(key);
  service.platform.advance(4999);
  const late = indexes.forSearch(key);
  expect(await Promise.race([late, platform.yield().then(() => 'waits')])).toBe('waits');
  service.platform.advance(1);
  expect([await early, await late]).toEqual([first, first]);
  expect(await indexes.forSearch(key)).toBe(first);
  const fresh = new IndexKeeper({
    ...{ ...service.services, db: slow, budgetBytes: 1 << 30, archive: null },
  });
  const refused = fresh.forSearch(key);
  service.platform.advance(5000);
  await expect(refused).rejects.toMatchObject({
    code: 'unavailable',
    details: { retryAfterMs: 5000 },
  });
  const patient = new IndexKeeper({
    ...{ ...service.services, db: slow, budgetBytes: 1 << 30, archive: null, isPatient: true },
  }).forSearch(key);
  service.platform.advance(60_000);
  reading.resolve();
  expect((await patient).index.size).toBe(1);
  await Promise.all([indexes.idle(), fresh.idle()]);
  expect(await indexes.forSearch(key)).not.toBe(first);
  await service.close();
});

test('one catalogue is kept whatever its size; one that the machine cannot build is refused and logged', async () => {
  const service = await startService({ embedder: null });
  await service.importText(jsonLines([{ externalId: 'a', name: 'lamp' }]));
  const key = keyOf(service);
  const none = new IndexKeeper({ ...service.services, budgetBytes: 0, archive: null });
  expect((await none.forSearch(key)).index.size).toBe(1);
  expect(none.find(key)).not.toBeNull();
  expect(none.shortageFor(1)).toMatchObject({ of: 'index' });
  const platform = { ...service.platform, memoryBytes: () => 150 * 1024 ** 2 };
  const small = new IndexKeeper({
    ...{ ...service.services, platform, budgetBytes: 1 << 30, archive: null },
  });
  await expect(small.forSearch(key)).rejects.toMatchObject({ code: 'unavailable' });
  expect(service.platform.logged.at(-1)).toMatchObject({
    event: 'catalogue_too_large',
    fields: { organization: 'acme', of: 'build' },
  });
  await service.close();
});

test('a small catalogue is searched, and kept for the next start, while a large one is being built', async () => {
  const service = await startService({ embedder: null });
  const files = new IndexFiles(join(service.folder, 'index'));
  const rows = Array.from({ length: 20 }, (_, at) => ({ externalId: `${at}`, name: `lamp ${at}` }));
  await service.importText(jsonLines(rows));
  await service.perform('org.create', { name: 'small', slug: 'small', currency: 'EUR' });
  await service.importText(jsonLines(rows.slice(0, 2)), { organization: 'small' });
  const { db, directory } = service.services;
  const reading = Promise.withResolvers<void>();
  const all: typeof db.all = async (statement) => {
    // Rows are read for the large one only.
    if (statement.sql.includes('AS body') && String(statement.args.at(-1)).split(',').length > 2)
      await reading.promise;
    return db.all(statement);
  };
  const indexes = new IndexKeeper({
    ...{ ...service.services, db: Object.assign(Object.create(db), { all }) },
    ...{ budgetBytes: 1 << 30, largeFrom: 20 },
    archive: new IndexArchive({ ...service.services, files }),
  });
  const large = indexes.forSearch(keyOf(service));
  const small = await indexes.forSearch(directory.findOrganization('small')!.key);
  expect(small.index.size).toBe(2);
  expect(await indexes.keepNext()).toBe(true);
  reading.resolve();
  expect((await large).index.size).toBe(20);
  await service.close();
});
