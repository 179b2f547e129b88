import Type from 'typebox';
import type { CatalogItem } from '../../domain/catalog.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import { findVisibleContexts } from '../../storage/catalog/items.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization, resolveShop, resolveShops } from '../tenants/organizations.ts';
import { changeItems } from './change-items.ts';
import { findItem } from './find-item.ts';
import {
  type ItemChange,
  type ItemMembers,
  patchItem,
  putItem,
  removeItem,
} from './item-changes.ts';
import type { PushServices } from './push-services.ts';

/** Contexts listed of one shop; shops have a few dozen. */
const LISTED_MAX = 500;

/** Ids tried for a new context whose name is taken. */
const TRIES_MAX = 100;

const PLACE = {
  organization: Type.Optional(Type.String()),
  shop: Type.Optional(Type.String()),
};

/** A context as the operator edits it. */
export interface ContextView {
  readonly shop: string;
  readonly externalId: string;
  readonly name: string;
  readonly description: string;
  readonly publicUrl: string | null;
}

export const listContexts = defineOperation({
  name: 'context.list',
  input: Type.Object(PLACE),
  /** The first 500 of each shop, by name. */
  async run(services: PushServices, { organization, shop }): Promise<ContextView[]> {
    const shops = resolveShops(services, resolveOrganization(services, organization), shop);
    const views: ContextView[] = [];
    for (const each of shops) {
      for (const body of await findVisibleContexts(services.db, each, LISTED_MAX)) {
        const item = services.db.parse<CatalogItem>(body);
        if (item === null) continue;
        const { externalId, name, description, publicUrl } = item;
        views.push({ shop: each.handle, externalId, name, description, publicUrl });
      }
    }
    return views.sort((one, other) => one.name.localeCompare(other.name));
  },
});

/** Adds a context, or changes the one with this external id. Throws `invalid_input`. */
export const saveContext = defineOperation({
  name: 'context.save',
  input: Type.Object({
    ...PLACE,
    externalId: Type.Union([Type.String(), Type.Null()]),
    name: Type.String({ minLength: 1 }),
    description: Type.String({ minLength: 1 }),
    publicUrl: Type.Union([Type.String(), Type.Null()]),
  }),
  async run(
    services: PushServices,
    { externalId, name, description, publicUrl, ...place },
  ): Promise<{ externalId: string }> {
    const shop = shopOf(services, place);
    const members: ItemMembers = { name, description, publicUrl };
    const id = externalId ?? (await newId(services, shop, name));
    const change =
      externalId === null
        ? putItem(id, { type: 'context', ...members })
        : patchItem({ externalId: id, line: null }, { offer: {}, members });
    await apply(services, shop, change);
    return { externalId: id };
  },
});

/** An item in vitrine's own format. Throws `not_found`. */
export const showItem = defineOperation({
  name: 'item.show',
  input: Type.Object({ ...PLACE, externalId: Type.String() }),
  async run(services: PushServices, { externalId, ...place }): Promise<ItemMembers> {
    const found = await findItem(services, shopOf(services, place), externalId);
    if (found === null) throw new AppError('not_found', 'There is no such item.');
    return found as ItemMembers;
  },
});

/** Takes one item out of the catalogue, until an import brings it again. Throws `not_found`. */
export const takeOutItem = defineOperation({
  name: 'item.remove',
  input: Type.Object({ ...PLACE, externalId: Type.String() }),
  async run(services: PushServices, { externalId, ...place }): Promise<{ externalId: string }> {
    await apply(services, shopOf(services, place), removeItem(externalId));
    return { externalId };
  },
});

function shopOf(
  services: PushServices,
  { organization, shop }: { organization?: string; shop?: string },
): Shop {
  return resolveShop(services, resolveOrganization(services, organization), shop);
}

async function apply(services: PushServices, shop: Shop, change: ItemChange): Promise<void> {
  await changeItems(services, shop, { changes: [change], also: () => [] });
}

/** `Return policy` becomes `return-policy`, or `return-policy-2` if that is taken. */
async function newId(services: PushServices, shop: Shop, name: string): Promise<string> {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const plain = words.join('-').slice(0, 80) || 'context';
  for (let count = 1; count <= TRIES_MAX; count += 1) {
    const id = count === 1 ? plain : `${plain}-${count}`;
    if ((await findItem(services, shop, id)) === null) return id;
  }
  throw new AppError('conflict', 'Too many contexts have this name.');
}
