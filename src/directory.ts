import type { ApiKey } from './domain/api-key.ts';
import { isUuid } from './domain/ids.ts';
import type { Organization, Shop } from './domain/organization.ts';
import { findApiKeys } from './storage/api-keys.ts';
import type { Database } from './storage/engine/database.ts';
import { findOrganizations, findShops } from './storage/organizations.ts';

/**
 * Who there is: organizations, shops and keys, all in memory, so that a request without a valid key
 * never reaches the database. Whoever changes one of these tables calls `reload`.
 */
export class Directory {
  readonly #db: Database;
  #organizations: readonly Organization[] = [];
  #organizationsByKey: ReadonlyMap<number, Organization> = new Map();
  #shopsByOrganization: ReadonlyMap<number, readonly Shop[]> = new Map();
  #shopsByKey: ReadonlyMap<number, Shop> = new Map();
  #apiKeys: ReadonlyMap<string, ApiKey> = new Map();
  #lastLoad: Promise<void> = Promise.resolve();

  private constructor(db: Database) {
    this.#db = db;
  }

  static async open(db: Database): Promise<Directory> {
    const directory = new Directory(db);
    await directory.reload();
    return directory;
  }

  /** Resolves when everything is as it was at the asking, or later. */
  reload(): Promise<void> {
    // One after the other: what was read first must not come last.
    const loaded = this.#lastLoad.then(() => this.#load());
    this.#lastLoad = loaded.catch(() => undefined);
    return loaded;
  }

  async #load(): Promise<void> {
    const [organizations, shops, apiKeys] = await Promise.all([
      findOrganizations(this.#db),
      findShops(this.#db),
      findApiKeys(this.#db),
    ]);
    this.#organizations = organizations;
    this.#organizationsByKey = new Map(
      organizations.map((organization) => [organization.key, organization]),
    );
    this.#shopsByOrganization = Map.groupBy(shops, ({ organizationKey }) => organizationKey);
    this.#shopsByKey = new Map(shops.map((shop) => [shop.key, shop]));
    this.#apiKeys = new Map(apiKeys.map((key) => [key.id, key]));
  }

  organizations(): readonly Organization[] {
    return this.#organizations;
  }

  organization(key: number): Organization {
    return this.#organizationsByKey.get(key)!;
  }

  /** By id or slug, in any case; null if there is none. */
  findOrganization(idOrSlug: string): Organization | null {
    const wanted = idOrSlug.toLowerCase();
    return this.#organizations.find(({ id, slug }) => id === wanted || slug === wanted) ?? null;
  }

  /** Oldest first: the first one is the default shop. */
  shopsOf(organizationKey: number): readonly Shop[] {
    return this.#shopsByOrganization.get(organizationKey) ?? [];
  }

  shop(key: number): Shop {
    return this.#shopsByKey.get(key)!;
  }

  /** A shop of that organization by id or handle, in any case; null if it has none such. */
  findShop(organizationKey: number, idOrHandle: string): Shop | null {
    const wanted = idOrHandle.toLowerCase();
    const byId = isUuid(wanted);
    return (
      this.shopsOf(organizationKey).find(({ id, handle }) => (byId ? id : handle) === wanted) ??
      null
    );
  }

  apiKeys(): readonly ApiKey[] {
    return [...this.#apiKeys.values()];
  }

  findApiKey(id: string): ApiKey | null {
    return this.#apiKeys.get(id) ?? null;
  }

  /** A number that changes whenever what searchers of the organization see changes. */
  indexVersion(organizationKey: number): number {
    return this.shopsOf(organizationKey).reduce((sum, { revision }) => sum + revision, 0);
  }
}
