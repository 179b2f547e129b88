import type { Offering } from '../../domain/catalog.ts';
import type { Shop } from '../../domain/organization.ts';
import { changeInPlace } from '../../storage/catalog/pushed-items.ts';
import { changedVersion } from '../imports/publish-catalog.ts';
import {
  applyPush,
  findPresent,
  type ItemPush,
  type ItemState,
  type PushCounts,
} from './apply-push.ts';
import type { PushServices } from './push-services.ts';

/** Items changed between two pauses: a few milliseconds. */
const AT_ONCE = 100;

/**
 * Changes items of a shop: on disk when this resolves, and seen by the next search. Prices and
 * availability change in place, at once, and without a new vector. Anything else becomes a new
 * generation of the catalogue, and waits for a running import of the organization. Throws `invalid_input` with every fault,
 * `not_found`, and `unavailable` if an import takes too long.
 */
export async function changeItems(
  services: PushServices,
  { key }: Shop,
  push: ItemPush,
): Promise<PushCounts> {
  const counts = await inTurn(services, () => changeOffers(services, key, push));
  return counts ?? services.itemQueue.push(services, key, push);
}

/**
 * Runs one push at a time. Only this process uses a file, and imports of it repeat what is pushed
 * beside them. On a server, pushes and imports of all instances take turns.
 */
function inTurn<Result>(
  { db, importMutex, pushLog }: PushServices,
  task: () => Promise<Result>,
): Promise<Result> {
  if (db.instance === null) return pushLog.mutex.run(task);
  return importMutex.run(() => pushLog.mutex.run(task));
}

/** Makes the changes in place; null, with nothing done, if they go beyond prices and availability. */
async function changeOffers(
  services: PushServices,
  key: number,
  push: ItemPush,
): Promise<PushCounts | null> {
  const { directory } = services;
  const shop = directory.shop(key);
  const present = await findPresent(services, shop, [push]);
  const states = await applyPush(services, { shop, present, push, states: new Map() });
  const all = [...states.values()];
  if (!all.every(({ isInPlace }) => isInPlace)) return null;
  return writeInPlace(services, shop, { states: all, push });
}

async function writeInPlace(
  { db, directory, indexes, platform, pushLog }: PushServices,
  { key, organizationKey, pushes }: Shop,
  { states, push }: { states: readonly ItemState[]; push: ItemPush },
): Promise<PushCounts> {
  const changed: NonNullable<ReturnType<typeof changedVersion>>[] = [];
  for (const [index, { version, after }] of states.entries()) {
    if (index % AT_ONCE === 0) await platform.yield();
    const made = version === null ? null : changedVersion(version, after as Offering);
    if (made !== null) changed.push(made);
  }
  const counts = { added: 0, changed: changed.length, removed: 0 };
  const number = pushes + 1;
  const items = changed.map(({ row }) => row);
  const inPlace = { items, push: number, nowMs: platform.now() };
  const statements = items.length === 0 ? [] : changeInPlace(db, key, inPlace);
  const told = { ...counts, same: states.length - changed.length };
  const all = [...statements, ...push.also(told)];
  if (all.length > 0) await db.write(all);
  pushLog.note(
    key,
    states.flatMap(({ version, offers }) => offers.map((offer) => [version!.id, offer] as const)),
  );
  if (items.length === 0) return told;
  await directory.reloadCatalogue(organizationKey);
  const offers = changed.map(({ offer }) => offer);
  indexes.takePush({ organizationKey, shopKey: key, push: number, offers });
  return told;
}
