import type { ApiKey } from './domain/api-key.ts';
import { accessKeyOf, type Grant } from './domain/grant.ts';
import { isUuid } from './domain/ids.ts';
import type { Organization, Shop } from './domain/organization.ts';
import { findApiKeys } from './storage/api-keys.ts';
import { findWebhookSecrets } from './storage/catalog/webhooks.ts';
import type { Database } from './storage/engine/database.ts';
import { findGrants } from './storage/oauth-grants.ts';
import { findOrganizations, findShops } from './storage/organizations.ts';

/**
 * All organizations, shops, keys and grants in memory, so that a request without a valid key or token
 * never reaches the database. Code that changes one of these tables must call `reload`,
 * `reloadCatalogue` or `reloadAccess`.
 */
export class Directory {
  readonly #db: Database;
  #organizations: readonly Organization[] = [];
  #organizationsByKey: ReadonlyMap<number, Organization> = new Map();
  /** By id and by slug. */
  #organizationsByName: ReadonlyMap<string, Organization> = new Map();
  #shopsByOrganization = new Map<number, readonly Shop[]>();
  #shopsByKey = new Map<number, Shop>();
  #apiKeys: ReadonlyMap<string, ApiKey> = new Map();
  #webhookSecrets: ReadonlyMap<number, string> = new Map();
  #grants: ReadonlyMap<string, Grant> = new Map();
  #accessKeys: ReadonlyMap<string, ApiKey> = new Map();
  #organizationsByHost: ReadonlyMap<string, ReadonlySet<Organization>> = new Map();
  #lastLoad: Promise<void> = Promise.resolve();

  private constructor(db: Database) {
    this.#db = db;
  }

  static async open(db: Database): Promise<Directory> {
    const directory = new Directory(db);
    await directory.reload();
    return directory;
  }

  /** Resolves when the directory reflects the database as of this call, or later. */
  reload(): Promise<void> {
    return this.#inTurn(() => this.#load());
  }

  /**
   * As `reload`, of what an import, a push or a rollback changes. It takes no longer where there are many
   * organizations.
   */
  reloadCatalogue(organizationKey: number): Promise<void> {
    return this.#inTurn(() => this.#loadShops(organizationKey));
  }

  /** As `reload`, of the keys and the sign-ins of one organization. */
  reloadAccess(organizationKey: number): Promise<void> {
    return this.#inTurn(() => this.#loadAccess(organizationKey));
  }

  /** Loads run one after the other, so that an older read cannot replace a newer one. */
  #inTurn(load: () => Promise<void>): Promise<void> {
    const loaded = this.#lastLoad.then(load);
    this.#lastLoad = loaded.catch(() => undefined);
    return loaded;
  }

  async #loadShops(organizationKey: number): Promise<void> {
    const shops = await findShops(this.#db, organizationKey);
    this.#shopsByOrganization.set(organizationKey, shops);
    for (const shop of shops) this.#shopsByKey.set(shop.key, shop);
  }

  async #loadAccess(organizationKey: number): Promise<void> {
    const [apiKeys, grants] = await Promise.all([
      findApiKeys(this.#db, organizationKey),
      findGrants(this.#db, organizationKey),
    ]);
    const isOther = (owned: ApiKey | Grant) => owned.organizationKey !== organizationKey;
    this.#setAccess(
      [...this.#apiKeys.values().filter(isOther), ...apiKeys],
      [...this.#grants.values().filter(isOther), ...grants],
    );
  }

  #setAccess(apiKeys: readonly ApiKey[], grants: readonly Grant[]): void {
    this.#apiKeys = new Map(apiKeys.map((key) => [key.id, key]));
    this.#grants = new Map(grants.map((grant) => [grant.id, grant]));
    this.#accessKeys = new Map(
      grants.map((grant) => [grant.id, accessKeyOf(grant, this.grantorOf(grant))]),
    );
  }

  async #load(): Promise<void> {
    const [organizations, shops, apiKeys, grants, webhookSecrets] = await Promise.all([
      findOrganizations(this.#db),
      findShops(this.#db),
      findApiKeys(this.#db),
      findGrants(this.#db),
      findWebhookSecrets(this.#db),
    ]);
    this.#webhookSecrets = webhookSecrets;
    this.#organizations = organizations;
    this.#organizationsByKey = new Map(
      organizations.map((organization) => [organization.key, organization]),
    );
    this.#organizationsByName = new Map(
      organizations.flatMap((organization) => [
        [organization.slug, organization],
        [organization.id, organization],
      ]),
    );
    this.#shopsByOrganization = Map.groupBy(shops, ({ organizationKey }) => organizationKey);
    this.#shopsByKey = new Map(shops.map((shop) => [shop.key, shop]));
    this.#setAccess(apiKeys, grants);
    this.#organizationsByHost = this.#groupByHost(shops);
  }

  #groupByHost(shops: readonly Shop[]): Map<string, Set<Organization>> {
    const byHost = new Map<string, Set<Organization>>();
    for (const { organizationKey, domain, furtherDomains } of shops) {
      for (const name of [...(domain === null ? [] : [domain]), ...furtherDomains]) {
        const host = bareHost(name);
        byHost.set(host, (byHost.get(host) ?? new Set()).add(this.organization(organizationKey)));
      }
    }
    return byHost;
  }

  organizations(): readonly Organization[] {
    return this.#organizations;
  }

  organization(key: number): Organization {
    return this.#organizationsByKey.get(key)!;
  }

  /**
   * The model whose vectors answer an organization; null before its first vector, and for one that is
   * not known here yet.
   */
  vectorModelKey(organizationKey: number): number | null {
    return this.#organizationsByKey.get(organizationKey)?.vectorModelKey ?? null;
  }

  /** Finds by id or slug, ignoring case; null if there is none. */
  findOrganization(idOrSlug: string): Organization | null {
    return this.#organizationsByName.get(idOrSlug.toLowerCase()) ?? null;
  }

  /**
   * The organization that an address without a name in it means: the one whose shop has this host (with or
   * without `www.` and port), or the only one there is. Null where several share the host.
   */
  findOrganizationAt(host: string): Organization | null {
    const named = this.#organizationsByHost.get(bareHost(host));
    const found = named === undefined ? this.#organizations : [...named];
    return found.length === 1 ? found[0]! : null;
  }

  /** Whether an organization that answers everybody has a shop at this host. */
  isPublicHost(host: string): boolean {
    const named = this.#organizationsByHost.get(bareHost(host)) ?? [];
    return [...named].some(({ publicAssistants }) => publicAssistants.isOn);
  }

  /** Oldest first; the first is the default shop. */
  shopsOf(organizationKey: number): readonly Shop[] {
    return this.#shopsByOrganization.get(organizationKey) ?? [];
  }

  shop(key: number): Shop {
    return this.#shopsByKey.get(key)!;
  }

  /** Finds a shop of the organization by id or handle, ignoring case; null if there is none. */
  findShop(organizationKey: number, idOrHandle: string): Shop | null {
    const wanted = idOrHandle.toLowerCase();
    const byId = isUuid(wanted);
    return (
      this.shopsOf(organizationKey).find(({ id, handle }) => (byId ? id : handle) === wanted) ??
      null
    );
  }

  /** Finds a shop of any organization by its id, ignoring case; null if there is none. */
  findShopById(id: string): Shop | null {
    const wanted = id.toLowerCase();
    for (const shop of this.#shopsByKey.values()) if (shop.id === wanted) return shop;
    return null;
  }

  /** The secret with which a shop's system signs its webhooks; null if it may send none. */
  webhookSecret(shopKey: number): string | null {
    return this.#webhookSecrets.get(shopKey) ?? null;
  }

  apiKeys(): readonly ApiKey[] {
    return [...this.#apiKeys.values()];
  }

  findApiKey(id: string): ApiKey | null {
    return this.#apiKeys.get(id) ?? null;
  }

  /** The grants of all sign-ins; those of an organization oldest first. */
  grants(): readonly Grant[] {
    return [...this.#grants.values()];
  }

  findGrant(id: string): Grant | null {
    return this.#grants.get(id) ?? null;
  }

  /** The key that granted it; null if it was a link. */
  grantorOf({ apiKeyId }: Pick<Grant, 'apiKeyId'>): ApiKey | null {
    return apiKeyId === null ? null : this.findApiKey(apiKeyId);
  }

  /** The present access token of a grant, as a key. */
  findAccessKey(id: string): ApiKey | null {
    return this.#accessKeys.get(id) ?? null;
  }

  /** A number that changes whenever the organization's searchable catalogue changes. */
  indexVersion(organizationKey: number): number {
    return this.shopsOf(organizationKey).reduce((sum, { revision }) => sum + revision, 0);
  }
}

/** `www.Shop.example.:8443` → `shop.example`. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}
