import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogItem } from '../../src/domain/catalog.ts';
import { insertIds } from '../../src/storage/catalog/item-ids.ts';
import { showGeneration } from '../../src/storage/catalog/items.ts';
import { StagedBatch } from '../../src/storage/catalog/staged-items.ts';
import { type Database, openDatabase } from '../../src/storage/engine/database.ts';
import { insertOrganization, insertShop } from '../../src/storage/organizations.ts';
import { copyNewDatabase } from '../support/new-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { Texts } from '../support/texts.ts';

const folder = temporaryFolder();
let fileCount = 0;
process.once('exit', () => folder.remove());

/** A path in a folder that is deleted after the tests. */
export function freshPath(name = `${++fileCount}.db`): string {
  return join(folder.path, name);
}

export async function openFresh(path = freshPath()): Promise<Database> {
  if (!existsSync(path)) await copyNewDatabase(path);
  return openDatabase(path, { create: false });
}

/** A database with two organizations, each with the shops `10 * key` and `10 * key + 1`. */
export async function openWithShops(): Promise<Database> {
  const db = await openFresh();
  for (const key of [1, 2]) {
    const id = `0190a000-0000-7000-8000-00000000000${key}`;
    const shop = { organizationKey: key, name: '', domain: null, currency: 'EUR', locale: 'en' };
    await db.write([
      insertOrganization(db, { key, id, slug: `org-${key}`, name: '', createdAt: 0 }),
      insertShop(db, { ...shop, key: 10 * key, id: `${id}a`, handle: 'shop-1' }),
      insertShop(db, { ...shop, key: 10 * key + 1, id: `${id}b`, handle: 'shop-2' }),
    ]);
  }
  return db;
}

export interface Version {
  /** Of the item and its one document. */
  readonly key: number;
  readonly shopKey: number;
  readonly generation: number;
  /** Words of its name. */
  readonly name: string;
  /** The item's external id. */
  readonly id?: string;
  /** The item's own id, if the external id does not give it. */
  readonly itemId?: string;
  readonly type?: CatalogItem['type'];
  readonly textHash?: string;
  readonly replacesKey?: number;
}

/**
 * Writes versions of a shop as an import does, each as a block of its own: invisible until their
 * generation is published.
 */
export async function stage(db: Database, ...versions: readonly Version[]): Promise<void> {
  const { shopKey, generation } = versions[0]!;
  const organizationKey = Math.floor(shopKey / 10);
  const batch = new StagedBatch();
  for (const version of versions) addBlock(batch, version);
  const staging = { organizationKey, shopKey, generation, format: 'test', nowMs: 0 };
  const ids = versions.map((version) => [idOf(version), version.key] as const);
  await db.write([...batch.statements(staging), insertIds(staging, ids)]);
}

function externalIdOf({ id, key }: Version): string {
  return id ?? `item-${key}`;
}

function idOf(version: Version): string {
  return version.itemId ?? `id-${externalIdOf(version)}`;
}

function addBlock(batch: StagedBatch, version: Version): void {
  const { key, name, type = 'product', replacesKey = null } = version;
  const externalId = externalIdOf(version);
  const texts = new Texts();
  const slug = type === 'product' ? externalId : null;
  const places = [...texts.add(JSON.stringify({ type, externalId, name, slug }))];
  const names = type === 'product' ? 1 : 0;
  if (names > 0) places.push(4, ...texts.add(externalId), 1, 0);
  const document = { key, passage: null, textHash: version.textHash ?? name };
  const item = { key, id: idOf(version), externalId, type, slug };
  batch.add(
    [
      {
        ...{ ...item, contentHash: name, availability: null, names, replacesKey },
        isAlias: version.itemId !== undefined,
        documents: [document],
        placesAt: 0,
      },
    ],
    { texts: texts.bytes(), places: Uint32Array.from(places) },
  );
}

export async function publish(db: Database, shopKey: number, generation: number): Promise<void> {
  await db.write([showGeneration(shopKey, { generation, previousGeneration: generation - 1 })]);
}
