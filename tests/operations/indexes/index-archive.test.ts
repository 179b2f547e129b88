import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IndexArchive } from '../../../src/operations/indexes/index-archive.ts';
import { IndexFiles } from '../../../src/operations/indexes/index-files.ts';
import { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import { statesOf } from '../../../src/operations/indexes/loaded-index.ts';
import { Slices } from '../../../src/operations/indexes/slices.ts';
import type { Statement } from '../../../src/storage/engine/statement.ts';
import { jsonLines } from '../../support/catalog.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { answersOf, loadedKeeper } from '../../support/index-answers.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const never = new AbortController().signal;
const NAMES = ['oak desk', 'oak shelf', 'pine desk', 'desk lamp', 'rag rug', 'lampshade'];
const QUESTIONS = ['oak desk', 'desk lamp under 20', 'lmap', 'lampshade in stock', 'kiln rug'];

const row = (at: number, change: object = {}) => ({
  externalId: `item-${at}`,
  name: `${NAMES[at % NAMES.length]} ${at}`,
  price: `${5 + (at % 30)}.00`,
  vendor: at % 2 === 0 ? 'Kiln' : 'Acme',
  ...change,
});
const ROWS = Array.from({ length: 60 }, (_, at) => row(at));

const keyOf = ({ services, organization }: LocalService) =>
  services.directory.findOrganization(organization.id)!.key;

/** Changes an offering in place, as a program does. */
async function push(service: LocalService, change: object): Promise<void> {
  const { apiKey } = await service.operator.createKey({ scopes: ['catalog', 'search'] });
  const pushed = await service.as(apiKey)(`/rest/catalog/${service.shop.handle}/items`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/x-ndjson' },
    body: jsonLines([change]),
  });
  expect(pushed.status).toBe(200);
}

/** The parts of an archive in the service's own folder. */
function archiveOf({ services, folder }: LocalService): IndexArchive {
  return new IndexArchive({ ...services, files: new IndexFiles(join(folder, 'index')) });
}

/** Loads the catalogue and writes its file. */
async function keep(service: LocalService): Promise<void> {
  const { indexes } = service.services;
  indexes.find(keyOf(service));
  while (await indexes.loadNext(never));
  while (await indexes.keepNext());
}

async function restored({ services, organization, folder }: LocalService) {
  const service = { services, organization, folder } as LocalService;
  const shops = statesOf(services.directory.shopsOf(keyOf(service)));
  const target = { organizationKey: keyOf(service), shops, model: services.embeddings.model };
  return archiveOf(service).find(target, new Slices(services.platform));
}

/** The answers of an index that is loaded with this archive. */
async function answers(service: LocalService, archive: IndexArchive | null): Promise<unknown[]> {
  const { services } = service;
  const indexes = await loadedKeeper(services, keyOf(service), archive);
  return answersOf(services, keyOf(service), { indexes, questions: QUESTIONS });
}

/** Closed, with an index file; each test works on a copy. */
let kept: LocalService;
const opened: LocalService[] = [];

beforeAll(async () => {
  kept = await startService();
  await kept.importText(jsonLines(ROWS));
  await kept.embedAll();
  await keep(kept);
  await kept.services.close();
});
afterAll(async () => {
  for (const service of opened) await service.close();
  kept.discard();
  for (let copy = 1; copy <= copies; copy++) rmSync(`${kept.folder}-${copy}`, { recursive: true });
});

let copies = 0;
function copyOfFolder(): string {
  const folder = `${kept.folder}-${++copies}`;
  cpSync(kept.folder, folder, {
    recursive: true,
    filter: (path) => !/\.(?:lock|sock)$/.test(path),
  });
  return folder;
}

async function reopened(folder = copyOfFolder()): Promise<LocalService> {
  // Its random bytes differ from those of the other services.
  const platform = fakePlatform(Date.UTC(2026, 0, 1) + opened.length);
  const service = await startService({ folder, platform });
  opened.push(service);
  await service.services.embeddings.questionVector('desk');
  return service;
}

function fileIn(folder: string, kind: '.index' | '.changes' = '.index'): string {
  const names = readdirSync(join(folder, 'index'));
  return join(folder, 'index', names.find((name) => name.endsWith(kind))!);
}

test('after a restart, the file brings back the index with every vector', async () => {
  const service = await reopened();
  const { base } = (await restored(service))!.layers;
  expect([base.index.size, base.index.lackingVectors(1)]).toEqual([ROWS.length, []]);
  expect(await answers(service, archiveOf(service))).toEqual(await answers(service, null));
});

test('imports, new prices and vectors since the file was written are in the index that it brings back', async () => {
  const service = await reopened();
  const changes = [row(3, { name: 'teak desk' }), row(100, { name: 'oak stool' })];
  await service.importText(jsonLines(changes));
  await service.embedAll();
  await push(service, { externalId: 'item-4', price: '1.00', availability: 'out_of_stock' });
  expect((await restored(service))!.layers.base.index.size).toBe(ROWS.length);
  expect(await answers(service, archiveOf(service))).toEqual(await answers(service, null));
});

test('a price that was pushed after the whole index was written, and before its changes were, is in what both bring back', async () => {
  const service = await reopened();
  await keep(service);
  await push(service, { externalId: 'item-4', price: '1.00', availability: 'out_of_stock' });
  await service.importText(jsonLines([row(100, { name: 'oak stool' })]));
  await service.embedAll();
  await keep(service);
  expect((await restored(service))!.layers.overlay!.index.size).toBe(1);
  expect(await answers(service, archiveOf(service))).toEqual(await answers(service, null));
});

test('vectors are no reason to write an index again, but the next write has them; tokens of replaced files are deleted', async () => {
  const service = await startService();
  opened.push(service);
  await service.services.embeddings.load();
  await service.importText(jsonLines(ROWS));
  await keep(service);
  const waiting = async () =>
    (await restored(service))!.layers.base.index.lackingVectors(100).length;
  expect(await waiting()).toBe(ROWS.length);
  await service.embedAll();
  service.platform.advance(60_000);
  for (const name of ['oak stool', 'pine stool']) {
    await service.importText(jsonLines([row(100, { name })]));
    await service.embedAll();
    service.platform.advance(60_000);
    await keep(service);
    expect(await waiting()).toBe(0);
  }
  expect(await countTokens(service)).toBe(2);
});

test('tokens of files that are gone are deleted once there is a new one', async () => {
  const service = await reopened();
  rmSync(join(service.folder, 'index'), { recursive: true });
  await keep(service);
  expect(await countTokens(service)).toBe(1);
});

async function countTokens({ services: { db } }: LocalService): Promise<number> {
  const sql = "SELECT name FROM meta WHERE name LIKE 'index_file:%'";
  return (await db.all({ sql, args: [] })).length;
}

/** How many documents a statement has listed, one in each row or all in one. */
function countListed({ sql }: Statement, rows: readonly unknown[]): number {
  if (/AS documentKey, d.first_generation AS generation\s+FROM items/.test(sql)) return rows.length;
  if (!sql.includes('json_group_array(key) AS keys')) return 0;
  return (JSON.parse((rows[0] as { keys: string }).keys) as number[]).length;
}

/** Loads with the archive and counts the documents that were listed and the texts that were read. */
async function countReads(service: LocalService): Promise<{ listed: number; read: number }> {
  const { db } = service.services;
  const counts = { listed: 0, read: 0 };
  const all = async <Row>(statement: Statement) => {
    const rows = await db.all<Row>(statement);
    if (statement.sql.includes('i.body')) counts.read += rows.length;
    else counts.listed += countListed(statement, rows);
    return rows;
  };
  const options = { ...service.services, db: { ...db, all }, budgetBytes: 1 << 30 };
  const indexes = new IndexKeeper({ ...options, archive: archiveOf(service) });
  indexes.find(keyOf(service));
  while (await indexes.loadNext(never));
  expect(indexes.find(keyOf(service))).not.toBeNull();
  return counts;
}

test('a start lists and reads nothing if the file holds the last import, however many there were since it was built', async () => {
  const service = await reopened();
  expect(await countReads(service)).toEqual({ listed: 0, read: 0 });
  await service.importText(jsonLines([row(3, { name: 'teak desk' }), row(200)]));
  await service.embedAll();
  expect(await countReads(service)).toEqual({ listed: ROWS.length + 1, read: 2 });
  await keep(service);
  expect(await countReads(service)).toEqual({ listed: 0, read: 0 });
  expect(await answers(service, archiveOf(service))).toEqual(await answers(service, null));
});

test('an import lists and reads only what it changes', async () => {
  const service = await reopened();
  await keep(service);
  const { db } = service.services;
  let listed = 0;
  const { all } = db;
  const watched = spyOn(db, 'all').mockImplementation((async (statement: Statement) => {
    const rows = await all(statement);
    listed += countListed(statement, rows);
    return rows;
  }) as typeof all);
  const rows = [row(3, { name: 'teak desk' }), row(5, { name: 'teak shelf' }), row(201)];
  await service.importText(jsonLines(rows));
  watched.mockRestore();
  expect(listed).toBe(rows.length);
  expect(await answers(service, archiveOf(service))).toEqual(await answers(service, null));
});

/** What is wrong with a file, how it comes about, and what operators read. */
const DAMAGES: readonly [string, (file: string) => void, reason?: string][] = [
  ['cut short', (file) => truncateSync(file, readFileSync(file).length - 100)],
  ['empty', (file) => truncateSync(file, 0)],
  ['longer', (file) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(1)]))],
  ...[3, 17, 40, 300, 5000, -2].map((at): [string, (file: string) => void, string] => [
    `flipped in one bit at ${at}`,
    (file) => {
      const bytes = readFileSync(file);
      const place = at < 0 ? bytes.length + at : at;
      bytes[place]! ^= 0x10;
      writeFileSync(file, bytes);
    },
    // There is the name of the version.
    at === 40 ? 'of another version' : 'damaged',
  ]),
  [
    'of another packing',
    (file) => rewrite(file, /"packing":"./, '"packing":"x'),
    'of another version',
  ],
  [
    'of another organization',
    (file) => rewrite(file, /"organization":"./, '"organization":"x'),
    'of another organization',
  ],
  ['of another model', (file) => rewrite(file, /"tag":"./, '"tag":"x'), 'of another model'],
  [
    'of another database',
    (file) => rewrite(file, /"token":"./, '"token":"x'),
    'not known to the database',
  ],
  [
    'a folder',
    (file) => {
      rmSync(file);
      mkdirSync(join(file, 'inside'), { recursive: true });
    },
    'not readable',
  ],
];

/** Replaces a part of the description by as many bytes, with the checksum that fits. */
function rewrite(file: string, pattern: RegExp, by: string): void {
  const text = readFileSync(file).toString('latin1').replace(pattern, by);
  const bytes = Buffer.from(text, 'latin1');
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  writeFileSync(file, bytes);
}

const refusals = ({ platform }: LocalService) =>
  platform.logged
    .filter(({ event }) => event === 'index_file_refused')
    .map(({ fields }) => [fields['file'], fields['reason']]);

test('an index file that is not whole, or is not of this catalogue, is never used, operators learn why, and it is written again', async () => {
  const service = await reopened();
  const file = fileIn(service.folder);
  const whole = readFileSync(file);
  for (const [what, damage, reason = 'damaged'] of DAMAGES) {
    rmSync(file, { recursive: true });
    writeFileSync(file, whole);
    expect([what, await restored(service)]).not.toEqual([what, null]);
    const refusedBefore = refusals(service).length;
    damage(file);
    expect([what, await restored(service)]).toEqual([what, null]);
    const refused = refusals(service).slice(refusedBefore);
    expect([what, refused]).toEqual([what, [[basename(file), reason]]]);
  }
  await keep(service);
  expect(await restored(service)).not.toBeNull();
});

test('an import writes what it changes and not the whole, and that counts only if it is whole and of this index', async () => {
  const service = await reopened();
  await keep(service);
  const whole = readFileSync(fileIn(service.folder));
  await service.importText(jsonLines([row(3, { name: 'teak desk' }), row(200)]));
  await service.embedAll();
  await keep(service);
  expect(readFileSync(fileIn(service.folder)).equals(whole)).toBe(true);
  const overlaySize = async () => (await restored(service))!.layers.overlay?.index.size ?? 0;
  const changes = fileIn(service.folder, '.changes');
  const intact = readFileSync(changes);
  expect(intact.length).toBeLessThan(whole.length / 2);
  const isOfIndex = /"changes":"./;
  for (const [what, damage] of [
    ...DAMAGES,
    ['of another index', (file: string) => rewrite(file, isOfIndex, '"changes":"x')] as const,
  ]) {
    rmSync(changes, { recursive: true });
    writeFileSync(changes, intact);
    expect([what, await overlaySize()]).toEqual([what, 2]);
    damage(changes);
    expect([what, await overlaySize()]).toEqual([what, 0]);
    expect(await answers(service, archiveOf(service))).toEqual(await answers(service, null));
  }
  await service.importText(jsonLines(ROWS.map((_, at) => row(at, { name: `stool ${at}` }))));
  await service.embedAll();
  // A file is not written again at once.
  service.platform.advance(60_000);
  await keep(service);
  expect(readFileSync(fileIn(service.folder)).equals(whole)).toBe(false);
  writeFileSync(changes, intact);
  expect(await overlaySize()).toBe(0);
  expect(await answers(service, archiveOf(service))).toEqual(await answers(service, null));
});

test('a file that a killed process left unfinished, and one of an organization that is gone, are deleted', async () => {
  const service = await reopened();
  const file = fileIn(service.folder);
  const left = [`${file}.partial`, join(service.folder, 'index', 'gone.index')];
  for (const path of left) writeFileSync(path, readFileSync(file).subarray(0, 1000));
  await service.importText(jsonLines(ROWS.map((_, at) => row(at, { name: `stool ${at}` }))));
  await keep(service);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect((await restored(service))!.layers.base.index.size).toBe(ROWS.length);
});

test('after a backup is restored, or an import is taken back, a later file is not used', async () => {
  const folder = copyOfFolder();
  const service = await reopened(folder);
  const database = readFileSync(join(folder, 'vitrine.db'));
  await service.importText(jsonLines(ROWS.map((_, at) => row(at, { name: `stool ${at}` }))));
  await service.embedAll();
  await keep(service);
  expect(await restored(service)).not.toBeNull();
  await service.perform('catalog.rollback', {});
  expect(await restored(service)).toBeNull();
  const later = readFileSync(fileIn(folder));
  const before = copyOfFolder();
  writeFileSync(join(before, 'vitrine.db'), database);
  writeFileSync(fileIn(before), later);
  expect(await restored(await reopened(before))).toBeNull();
});
