import type { ImportSummary } from '../../src/operations/imports/import-catalog.ts';
import type { CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import type { OrganizationView, ShopView } from '../../src/operations/tenants/organizations.ts';
import type { StandInModel } from './stand-in-embedder.ts';

/** Settings by flag name, as for `vitrine serve`. */
export interface ServiceOptions {
  readonly flags?: Readonly<Record<string, string>>;
}

/** A running service as a test sees it, wherever it runs. Made with an organization that has no rate limit. */
export interface Service {
  readonly organization: OrganizationView;
  /** The organization's default shop. */
  readonly shop: ShopView;
  readonly apiKey: string;
  readonly model: StandInModel;
  /** Address of its listener; null if requests go directly to the handler. */
  readonly url: string | null;
  /** Address of the operator's listener; null if there is none. */
  readonly operatorUrl: string | null;
  /** As the owner of `apiKey`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Without a key. */
  asStranger(path: string, init?: RequestInit): Promise<Response>;
  /** With that key. */
  as(apiKey: string): (path: string, init?: RequestInit) => Promise<Response>;
  /** Lets that much time pass for the service. */
  elapse(ms: number): Promise<void>;
  /** Resolves when all visible items have vectors. */
  embedAll(): Promise<void>;
  readonly operator: Operator;
  /** Every line it has logged so far. */
  logged(): string;
  close(): Promise<void>;
}

/** Operator actions on the service. `organization` defaults to the first one. */
export interface Operator {
  createOrganization(name: string): Promise<OrganizationView & { readonly apiKey: string }>;
  createShop(shop: { name: string; currency: string; organization?: string }): Promise<ShopView>;
  createKey(key?: {
    scopes?: readonly string[];
    expiresAt?: string;
    organization?: string;
  }): Promise<CreatedApiKey>;
  rotateKey(id: string, overlapSeconds: number): Promise<CreatedApiKey>;
  revokeKey(id: string): Promise<void>;
  setLimit(
    limit: { perMinute: number; burst: number } | 'unlimited',
    organization?: string,
  ): Promise<void>;
  setPublic(
    isOn: boolean,
    limit?: { perMinute: number; burst: number },
    organization?: string,
  ): Promise<void>;
  setDomain(shop: string, domain: string, organization?: string): Promise<void>;
  importRows(
    rows: readonly object[],
    place?: { organization?: string; shop?: string },
  ): Promise<ImportSummary>;
}

/** One operator action, both as an operation and as a command. */
export interface Errand {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly command: readonly string[];
  readonly organization: string | undefined;
}

/** The operator's actions, each run by `perform`. */
export function createOperator(
  firstOrganization: string,
  perform: (errand: Errand) => Promise<unknown>,
  importRows: (
    rows: readonly object[],
    place: { organization: string; shop?: string },
  ) => Promise<ImportSummary>,
): Operator {
  const errand = async <Result>(
    operation: string,
    input: Record<string, unknown>,
    command: readonly string[],
    organization: string | undefined = firstOrganization,
  ) => (await perform({ operation, input, command, organization })) as Result;
  const operator: Operator = {
    async createOrganization(name) {
      const input = { name, currency: 'EUR' };
      const command = ['org', 'create', name, '--currency', 'EUR'];
      const organization = await perform({
        operation: 'org.create',
        input,
        command,
        organization: undefined,
      });
      const { slug } = organization as OrganizationView;
      const { apiKey } = await operator.createKey({ organization: slug });
      await operator.setLimit('unlimited', slug);
      return { ...(organization as OrganizationView), apiKey };
    },
    createShop: ({ name, currency, organization }) =>
      errand(
        'shop.create',
        { name, currency },
        ['shop', 'create', name, '--currency', currency],
        organization,
      ),
    createKey({ scopes, expiresAt, organization } = {}) {
      const input = { ...(scopes && { scopes }), ...(expiresAt && { expiresAt }) };
      const flags = [
        ...(scopes ? ['--scopes', scopes.join(',')] : []),
        ...(expiresAt ? ['--expires', expiresAt] : []),
      ];
      return errand('key.create', input, ['key', 'create', ...flags], organization);
    },
    rotateKey: (id, seconds) =>
      errand('key.rotate', { id, overlapMs: seconds * 1000 }, [
        'key',
        'rotate',
        id,
        '--overlap',
        `${seconds}s`,
      ]),
    revokeKey: (id) => errand('key.revoke', { id }, ['key', 'revoke', id]),
    setLimit(limit, organization) {
      if (limit === 'unlimited')
        return errand('org.set', { unlimited: true }, ['org', 'set', '--unlimited'], organization);
      const { perMinute, burst } = limit;
      const flags = ['--rate-per-minute', `${perMinute}`, '--burst', `${burst}`];
      return errand(
        'org.set',
        { ratePerMinute: perMinute, burst },
        ['org', 'set', ...flags],
        organization,
      );
    },
    setPublic(isOn, limit, organization) {
      const flags = limit && [
        ...['--public-rate-per-minute', `${limit.perMinute}`],
        ...['--public-burst', `${limit.burst}`],
      ];
      return errand(
        'org.set',
        {
          publicAssistants: isOn,
          ...(limit && { publicRatePerMinute: limit.perMinute, publicBurst: limit.burst }),
        },
        ['org', 'set', '--public-assistants', isOn ? 'on' : 'off', ...(flags ?? [])],
        organization,
      );
    },
    setDomain: (shop, domain, organization) =>
      errand('shop.set', { shop, domain }, ['shop', 'set', shop, '--domain', domain], organization),
    importRows: (rows, { organization = firstOrganization, shop } = {}) =>
      importRows(rows, { organization, ...(shop && { shop }) }),
  };
  return operator;
}

/** `fetch` that adds a key to the request's headers. */
export function withKey(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
  apiKey: string,
): (path: string, init?: RequestInit) => Promise<Response> {
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('x-api-key')) headers.set('x-api-key', apiKey);
    return fetch(path, { ...init, headers });
  };
}
