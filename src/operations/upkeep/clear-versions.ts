import type { Shop } from '../../domain/organization.ts';
import { clearSomeLeftovers } from '../imports/clear-leftovers.ts';
import { changeCatalogue } from '../instances/shared-work.ts';
import { paced } from './paced.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** Versions removed in one transaction: about 10 ms. */
const VERSIONS_AT_ONCE = 32;

/**
 * Makes the task that removes versions of items that no rollback can show again, so that imports need not do
 * it. Each call removes some, between imports. The task uses a tenth of the time, and returns false when none
 * are left.
 */
export function clearVersions(services: UpkeepServices): () => Promise<boolean> {
  const { directory, indexes, importMutex, platform, stopping } = services;
  /** By shop key, the state of which nothing is left. */
  const cleared = new Map<number, string>();
  /** The version of the directory in which no shop is due. */
  let doneVersion = -1;
  const pause = paced(platform, stopping);
  const dueShop = () => {
    const { version } = directory;
    if (version === doneVersion) return undefined;
    const organizations = directory.organizations();
    const shops = organizations.flatMap(({ key }) => directory.shopsOf(key));
    const due = shops.find((shop) => cleared.get(shop.key) !== stateOf(shop));
    if (due === undefined) doneVersion = version;
    return due;
  };
  return async () => {
    const due = dueShop();
    if (due === undefined || importMutex.isBusy || indexes.isLoading) return false;
    const { organizationKey } = due;
    const state = await changeCatalogue(services, organizationKey, async () => {
      // An import may have changed it meanwhile.
      const shop = directory.shop(due.key);
      const slice = { kind: 'any', limit: VERSIONS_AT_ONCE } as const;
      return (await clearSomeLeftovers(services, shop, slice)) ? null : stateOf(shop);
    });
    await pause();
    if (state !== null) cleared.set(due.key, state);
    return true;
  };
}

/** Only an import or a rollback leaves versions. */
function stateOf({ generation, previousGeneration, revision }: Shop): string {
  return `${generation} ${previousGeneration} ${revision}`;
}
