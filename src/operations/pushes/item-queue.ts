import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import { endVersions } from '../../storage/catalog/items.ts';
import { fence, IMPORT_LEASE } from '../../storage/leases.ts';
import { clearLeftovers } from '../imports/clear-leftovers.ts';
import type { ImportServices } from '../imports/import-services.ts';
import { prepareRows } from '../imports/prepare-rows.ts';
import { publishCatalog } from '../imports/publish-catalog.ts';
import { RowStaging } from '../imports/stage-rows.ts';
import { changeCatalogue } from '../instances/shared-work.ts';
import { domainsOf } from '../offerings/offering-links.ts';
import {
  applyPush,
  countStates,
  findPresent,
  type ItemPush,
  type ItemState,
  isChanged,
  type PushCounts,
} from './apply-push.ts';

/** Pushes that may wait for one shop. */
const WAITING_MAX = 1000;

/** Changes that are published together. */
const CHANGES_AT_ONCE = 1000;

/** How long a push waits for a running import of its organization. */
const WAIT_MS = 20_000;
const RETRY_MS = 5000;

interface WaitingPush extends ItemPush {
  readonly done: PromiseWithResolvers<PushCounts>;
}

/**
 * The pushes that wait to become a new generation of their shop's catalogue. Those that come together,
 * or during an import, are published together.
 */
export class ItemQueue {
  readonly #waiting = new Map<number, WaitingPush[]>();

  /** Resolves when the push is on disk and visible. Throws as `changeItems` does. */
  async push(services: ImportServices, shopKey: number, push: ItemPush): Promise<PushCounts> {
    const waiting = this.#waiting.get(shopKey) ?? [];
    if (waiting.length >= WAITING_MAX) throw busy();
    const done = Promise.withResolvers<PushCounts>();
    // Whoever waits may have given up.
    done.promise.catch(() => undefined);
    const own = { ...push, done };
    this.#waiting.set(shopKey, [...waiting, own]);
    const { platform } = services;
    const { organizationKey } = services.directory.shop(shopKey);
    const publish = () => this.#publish(services, shopKey);
    void changeCatalogue(services, organizationKey, publish).catch(done.reject);
    const answered = new AbortController();
    const late = platform.sleep(WAIT_MS, answered.signal).then(() => 'late' as const);
    const first = await Promise.race([done.promise, late]).finally(() => answered.abort());
    if (first !== 'late') return first;
    if (this.#withdraw(shopKey, own)) throw busy();
    return done.promise;
  }

  /** False if its publication has begun. */
  #withdraw(shopKey: number, push: WaitingPush): boolean {
    const waiting = this.#waiting.get(shopKey) ?? [];
    const rest = waiting.filter((other) => other !== push);
    this.#waiting.set(shopKey, rest);
    return rest.length < waiting.length;
  }

  /** Publishes what waits now, as one generation. */
  async #publish(services: ImportServices, shopKey: number): Promise<void> {
    const taken = this.#take(shopKey);
    if (taken.length === 0) return;
    try {
      await publishPushes(services, services.directory.shop(shopKey), taken);
    } catch (error) {
      for (const { done } of taken) done.reject(error);
    }
  }

  #take(shopKey: number): WaitingPush[] {
    const waiting = this.#waiting.get(shopKey) ?? [];
    let count = 0;
    const end = waiting.findIndex(({ changes }, at) => {
      count += changes.length;
      return at > 0 && count > CHANGES_AT_ONCE;
    });
    const taken = end < 0 ? waiting : waiting.slice(0, end);
    const rest = waiting.slice(taken.length);
    if (rest.length === 0) this.#waiting.delete(shopKey);
    else this.#waiting.set(shopKey, rest);
    return taken;
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'An import is running: try again when it has ended.', {
    retryAfterMs: RETRY_MS,
  });
}

async function publishPushes(
  services: ImportServices,
  shop: Shop,
  pushes: readonly WaitingPush[],
): Promise<void> {
  const { db, pushLog } = services;
  // What changes in place from here on is repeated at the end.
  using followed = pushLog.follow(shop.key);
  const present = await findPresent(services, shop, pushes);
  const states = new Map<string, ItemState>();
  const kept: { push: WaitingPush; counts: PushCounts }[] = [];
  for (const push of pushes) {
    try {
      const own = await applyPush(services, { shop, present, push, states });
      for (const [name, state] of own) states.set(name, state);
      kept.push({ push, counts: countStates(own.values()) });
    } catch (error) {
      push.done.reject(error);
    }
  }
  const also = kept.flatMap(({ push, counts }) => push.also(counts));
  const changed = [...states.values()].filter(isChanged);
  if (changed.length > 0) {
    await stageItems(services, shop, changed);
    const { generation, previousGeneration } = shop;
    const shown = { generation: generation + 1, previousGeneration, pushes: followed };
    await publishCatalog(services, shop, shown, also);
  } else if (also.length > 0) await db.write(also);
  for (const { push, counts } of kept) push.done.resolve(counts);
}

/** Writes new versions, and ends removed ones, where searches do not see them. */
async function stageItems(
  services: ImportServices,
  shop: Shop,
  states: readonly ItemState[],
): Promise<void> {
  const { db } = services;
  await clearLeftovers(services, shop);
  const removed = states.flatMap(({ version, after }) =>
    after === null ? (version?.key ?? []) : [],
  );
  if (removed.length > 0)
    await db.stage([...fence(db, IMPORT_LEASE), ...endVersions(removed, shop.generation)]);
  const domains = domainsOf(services, shop.organizationKey);
  const written = states.filter(({ after }) => after !== null);
  for (const [format, group] of Map.groupBy(written, (state) => state.format)) {
    const entries = group.map(({ after: item }, index) => {
      return { item, file: '', line: 0, record: index + 1, raw: null };
    });
    const block = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const staging = await RowStaging.begin(services, {
      ...{ shop, format, dryRun: false },
      onFault: () => {
        throw new AppError('conflict', 'Two of the items that are changed are one and the same.');
      },
    });
    await staging.add(prepareRows(block, { shopId: shop.id, links: shop, domains }));
    await staging.finish();
  }
}
