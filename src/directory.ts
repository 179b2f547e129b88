import type { ApiKey } from './domain/api-key.ts';
import { accessKeyOf, type Grant } from './domain/grant.ts';
import { isUuid } from './domain/ids.ts';
import { isDeleted, type Organization, type Shop } from './domain/organization.ts';
import { findApiKeys } from './storage/api-keys.ts';
import { findWebhookSecrets } from './storage/catalog/webhooks.ts';
import type { Database } from './storage/engine/database.ts';
import { findGrants } from './storage/oauth-grants.ts';
import { findOrganizations, findShops } from './storage/organizations.ts';

/**
 * All organizations, shops, keys and grants in memory, so that a request without a valid key or token
 * never reaches the database. Code that changes one of these tables must call `reload`, or the narrower
 * one that covers its change: the others take no longer where there are many organizations.
 */
export class Directory {
  readonly #db: Database;
  #organizations: readonly Organization[] = [];
  readonly #organizationsByKey = new Map<number, Organization>();
  /** By id and by slug. */
  readonly #organizationsByName = new Map<string, Organization>();
  readonly #shopsByOrganization = new Map<number, readonly Shop[]>();
  readonly #shopsByKey = new Map<number, Shop>();
  /** Keys of the organizations that have a shop at a host. */
  readonly #organizationsByHost = new Map<string, Set<number>>();
  readonly #webhookSecrets = new Map<number, string>();
  readonly #apiKeys = new Map<string, ApiKey>();
  readonly #grants = new Map<string, Grant>();
  readonly #accessKeys = new Map<string, ApiKey>();
  #version = 0;
  /** By organization key, the version that its last reload made. */
  readonly #versions = new Map<number, number>();
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

  /** As `reload`, of one organization: its settings, its shops and their webhook secrets. */
  reloadOrganization(organizationKey: number): Promise<void> {
    return this.#inTurn(() => this.#loadOrganizations(organizationKey));
  }

  /** As `reload`, of what an import, a push or a rollback changes: the shops of one organization. */
  reloadCatalogue(organizationKey: number): Promise<void> {
    return this.#inTurn(async () =>
      this.#setShops(organizationKey, await findShops(this.#db, organizationKey)),
    );
  }

  /** As `reload`, of the keys and the sign-ins of one organization. */
  reloadAccess(organizationKey: number): Promise<void> {
    return this.#inTurn(() => this.#loadAccess(organizationKey));
  }

  /** Shows times of last use that the database holds by now. By the id of a key or grant; reads nothing. */
  noteUses(uses: readonly (readonly [id: string, usedAt: number])[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const [id, usedAt] of uses) {
        noteUse(this.#apiKeys, id, usedAt);
        noteUse(this.#grants, id, usedAt);
        noteUse(this.#accessKeys, id, usedAt);
      }
    });
  }

  /** Loads run one after the other, so that an older read cannot replace a newer one. */
  #inTurn(load: () => Promise<void>): Promise<void> {
    const loaded = this.#lastLoad.then(load);
    this.#lastLoad = loaded.catch(() => undefined);
    return loaded;
  }

  async #load(): Promise<void> {
    await Promise.all([this.#loadOrganizations(), this.#loadAccess()]);
  }

  /** Of one organization or of all. Those that were deleted are found by key alone. */
  async #loadOrganizations(organizationKey?: number): Promise<void> {
    const [organizations, shops, webhookSecrets] = await Promise.all([
      findOrganizations(this.#db, organizationKey),
      findShops(this.#db, organizationKey),
      findWebhookSecrets(this.#db, organizationKey),
    ]);
    const shopsByOrganization = Map.groupBy(shops, (shop) => shop.organizationKey);
    for (const organization of organizations) {
      const { key, id, slug } = organization;
      const own = shopsByOrganization.get(key) ?? [];
      this.#forgetNames(key);
      this.#organizationsByKey.set(key, organization);
      if (isDeleted(organization)) {
        this.#setShops(key, []);
        for (const shop of own) this.#shopsByKey.set(shop.key, shop);
      } else {
        this.#organizationsByName.set(slug, organization).set(id, organization);
        this.#setShops(key, own);
      }
    }
    const all = [...this.#organizationsByKey.values()];
    this.#organizations = all.filter((organization) => !isDeleted(organization));
    for (const { key } of shops) {
      const secret = webhookSecrets.get(key);
      if (secret === undefined) this.#webhookSecrets.delete(key);
      else this.#webhookSecrets.set(key, secret);
    }
  }

  #forgetNames(organizationKey: number): void {
    const former = this.#organizationsByKey.get(organizationKey);
    if (former === undefined) return;
    for (const name of [former.slug, former.id])
      if (this.#organizationsByName.get(name)?.key === organizationKey)
        this.#organizationsByName.delete(name);
  }

  #setShops(organizationKey: number, shops: readonly Shop[]): void {
    for (const host of hostsOf(this.shopsOf(organizationKey)))
      this.#organizationsByHost.get(host)?.delete(organizationKey);
    for (const host of hostsOf(shops))
      this.#organizationsByHost.set(
        host,
        (this.#organizationsByHost.get(host) ?? new Set()).add(organizationKey),
      );
    this.#shopsByOrganization.set(organizationKey, shops);
    for (const shop of shops) this.#shopsByKey.set(shop.key, shop);
    this.#version += 1;
    this.#versions.set(organizationKey, this.#version);
  }

  /** Of one organization or of all. */
  async #loadAccess(organizationKey?: number): Promise<void> {
    const [apiKeys, grants] = await Promise.all([
      findApiKeys(this.#db, organizationKey),
      findGrants(this.#db, organizationKey),
    ]);
    for (const owned of [this.#apiKeys, this.#grants, this.#accessKeys])
      forgetOwned(owned, organizationKey);
    for (const key of apiKeys) this.#apiKeys.set(key.id, key);
    for (const grant of grants) {
      this.#grants.set(grant.id, grant);
      this.#accessKeys.set(grant.id, accessKeyOf(grant, this.grantorOf(grant)));
    }
  }

  /** A number that grows with every reload of an organization or its shops, changed or not. */
  get version(): number {
    return this.#version;
  }

  /** Keys of the organizations that were reloaded, or whose shops were, after this version. */
  reloadedSince(version: number): number[] {
    const reloaded: number[] = [];
    for (const [key, own] of this.#versions) if (own > version) reloaded.push(key);
    return reloaded;
  }

  organizations(): readonly Organization[] {
    return this.#organizations;
  }

  /** Also one that was deleted. */
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
    const named = this.#organizationsAt(host);
    const found = named.length === 0 ? this.#organizations : named;
    return found.length === 1 ? found[0]! : null;
  }

  /** Whether an organization that answers everybody has a shop at this host. */
  isPublicHost(host: string): boolean {
    return this.#organizationsAt(host).some(({ publicAssistants }) => publicAssistants.isOn);
  }

  #organizationsAt(host: string): Organization[] {
    const keys = this.#organizationsByHost.get(bareHost(host)) ?? [];
    return [...keys].map((key) => this.organization(key));
  }

  /** Oldest first; the first is the default shop. */
  shopsOf(organizationKey: number): readonly Shop[] {
    return this.#shopsByOrganization.get(organizationKey) ?? [];
  }

  /** Also one of an organization that was deleted. */
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
    for (const shops of this.#shopsByOrganization.values())
      for (const shop of shops) if (shop.id === wanted) return shop;
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

function noteUse<Owned extends ApiKey | Grant>(
  owned: Map<string, Owned>,
  id: string,
  usedAt: number,
): void {
  const used = owned.get(id);
  if (used !== undefined)
    owned.set(id, { ...used, lastUsedAt: Math.max(used.lastUsedAt ?? 0, usedAt) });
}

/** Forgets what an organization owns, or everything. */
function forgetOwned(owned: Map<string, ApiKey | Grant>, organizationKey?: number): void {
  for (const [id, one] of owned)
    if (organizationKey === undefined || one.organizationKey === organizationKey) owned.delete(id);
}

/** Their hosts, once each, without `www.` and port. */
function hostsOf(shops: readonly Shop[]): Set<string> {
  const named = shops.flatMap(({ domain, furtherDomains }) => [domain ?? [], furtherDomains]);
  return new Set(named.flat().map(bareHost));
}

/** `www.Shop.example.:8443` → `shop.example`. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}
