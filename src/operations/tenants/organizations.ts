import Type, { type Static } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import {
  DEFAULT_RATE_LIMIT,
  isSlug,
  type Organization,
  type Profile,
  type PublicAssistants,
  type RateLimit,
  type Shop,
  type Storefront,
  slugify,
  TOOL_SETS,
  type ToolSet,
} from '../../domain/organization.ts';
import { cleanLine, codePointCount } from '../../domain/text.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import {
  findLastKeys,
  insertOrganization,
  insertShop,
  updateOrganization,
} from '../../storage/organizations.ts';
import type { BaseServices } from '../base-services.ts';
import { defineOperation } from '../define-operation.ts';
import { noSuchOrganization, noSuchShop } from './absent-tenants.ts';
import { commit } from './commit.ts';
import { parseCurrency, parseDomain, parseLocale } from './shop-fields.ts';
import type { TenantServices } from './tenant-services.ts';

/** Names of organizations and shops, in code points. */
const NAME_MAX = 200;

const RATE_MAX = 1_000_000;

/** Longest profile line of an organization, in code points. */
const PROFILE_LINE_MAX = 300;

/** The default shop's handle. */
const FIRST_SHOP = 'shop-1';

/** An organization as operators see it. */
export interface OrganizationView {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly rateLimit: RateLimit | 'unlimited';
  readonly publicAssistants: PublicAssistants;
  readonly toolSets: readonly ToolSet[];
  readonly profile: Profile;
  readonly shops: readonly ShopView[];
}

/** A shop as operators see it. */
export interface ShopView {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly domain: string | null;
  readonly currency: string;
  readonly locale: string;
  readonly storefront: Storefront | null;
  readonly furtherDomains: readonly string[];
  readonly productUrlTemplate: string | null;
  readonly bookingUrlTemplate: string | null;
  readonly checkoutUrlTemplate: string | null;
  readonly ucpEndpoint: string | null;
}

const ProfileLine = Type.Optional(Type.String({ maxLength: 4 * PROFILE_LINE_MAX }));
export const Name = Type.String({ minLength: 1, maxLength: NAME_MAX });
export const OrganizationReference = Type.Optional(
  Type.String({ description: 'Id or slug; may be omitted if there is only one.' }),
);

export const createOrganization = defineOperation({
  name: 'org.create',
  input: Type.Object({
    name: Name,
    slug: Type.Optional(Type.String()),
    currency: Type.String({ description: 'ISO 4217 code of the default shop.' }),
    locale: Type.Optional(Type.String({ default: 'en' })),
    domain: Type.Optional(Type.String({ description: 'Host name of the default shop.' })),
  }),
  /** Makes the organization, and its default shop. Throws `invalid_input` or `conflict`. */
  run(services: TenantServices, input) {
    const { name, slug = slugify(name), currency, locale = 'en', domain } = input;
    checkNewOrganization(input);
    return services.creationMutex.run(async () => {
      const { directory, platform, db } = services;
      if (directory.findOrganization(slug) !== null)
        throw new AppError('conflict', `An organization "${slug}" already exists.`);
      const last = await findLastKeys(db);
      const key = last.organization + 1;
      const id = platform.newId();
      const statements = [
        insertOrganization(db, { key, id, slug, name: name.trim(), createdAt: platform.now() }),
        newShop(services, last.shop + 1, {
          organizationKey: key,
          handle: FIRST_SHOP,
          name,
          currency,
          locale,
          domain,
        }),
      ];
      await commit(services, statements, {
        organization: { key, id },
        event: 'org.created',
        details: { slug },
      });
      return viewOrganization(services, directory.organization(key));
    });
  },
});

/** Throws `invalid_input` for an organization or shop that can never be created. */
export function checkNewOrganization({
  name,
  slug = slugify(name),
  currency,
  locale = 'en',
  domain,
}: Static<(typeof createOrganization)['input']>): void {
  checkName(name);
  if (!isSlug(slug))
    throw new AppError(
      'invalid_input',
      'A slug consists of a-z, 0-9 and hyphens: choose one with --slug.',
    );
  parseCurrency(currency);
  parseLocale(locale);
  if (domain !== undefined) parseDomain(domain);
}

export const listOrganizations = defineOperation({
  name: 'org.list',
  input: Type.Object({}),
  async run(services: TenantServices) {
    return services.directory
      .organizations()
      .map((organization) => viewOrganization(services, organization));
  },
});

export const setOrganization = defineOperation({
  name: 'org.set',
  input: Type.Object({
    organization: OrganizationReference,
    name: Type.Optional(Name),
    ratePerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: RATE_MAX })),
    burst: Type.Optional(Type.Integer({ minimum: 1, maximum: RATE_MAX })),
    unlimited: Type.Optional(Type.Boolean()),
    publicAssistants: Type.Optional(
      Type.Boolean({ description: 'Whether to answer assistants without a key.' }),
    ),
    publicRatePerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: RATE_MAX })),
    publicBurst: Type.Optional(Type.Integer({ minimum: 1, maximum: RATE_MAX })),
    toolSets: Type.Optional(Type.Array(Type.Enum([...TOOL_SETS]))),
    description: ProfileLine,
    contactEmail: ProfileLine,
    contactPhone: ProfileLine,
    address: ProfileLine,
    openingHours: ProfileLine,
  }),
  /** Takes effect immediately, rate limits included. An empty profile line removes it. */
  async run(services: TenantServices, input) {
    const { organization: reference, name, ratePerMinute, burst, unlimited, ...further } = input;
    const { publicAssistants: isOn, publicRatePerMinute, publicBurst, ...others } = further;
    const { toolSets, ...lines } = others;
    const profile = parseProfile(lines);
    const organization = resolveOrganization(services, reference);
    if (name !== undefined) checkName(name);
    const former = organization.rateLimit ?? DEFAULT_RATE_LIMIT;
    const changed = ratePerMinute !== undefined || burst !== undefined;
    const limit = { perMinute: ratePerMinute ?? former.perMinute, burst: burst ?? former.burst };
    if (unlimited === true && changed)
      throw new AppError('invalid_input', 'Give a rate or --unlimited, not both.');
    const { publicAssistants } = organization;
    const isPublicChanged = [isOn, publicRatePerMinute, publicBurst].some(
      (value) => value !== undefined,
    );
    const changedPublic = {
      isOn: isOn ?? publicAssistants.isOn,
      rateLimit: {
        perMinute: publicRatePerMinute ?? publicAssistants.rateLimit.perMinute,
        burst: publicBurst ?? publicAssistants.rateLimit.burst,
      },
    };
    const changes = {
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(Object.keys(profile).length === 0 ? {} : { profile }),
      ...(unlimited === true ? { rateLimit: null } : changed ? { rateLimit: limit } : {}),
      ...(isPublicChanged ? { publicAssistants: changedPublic } : {}),
      ...(toolSets === undefined ? {} : { toolSets }),
    };
    if (Object.keys(changes).length === 0)
      throw new AppError('invalid_input', 'There is nothing to set.');
    await commit(services, [updateOrganization(services.db, organization.key, changes)], {
      organization,
      event: 'org.changed',
      details: changes,
    });
    return viewOrganization(services, services.directory.organization(organization.key));
  },
});

export const createShop = defineOperation({
  name: 'shop.create',
  input: Type.Object({
    organization: OrganizationReference,
    handle: Type.Optional(Type.String()),
    name: Name,
    currency: Type.String(),
    locale: Type.Optional(Type.String({ default: 'en' })),
    domain: Type.Optional(Type.String()),
  }),
  run(
    services: TenantServices,
    { organization: reference, handle, name, currency, locale = 'en', domain },
  ) {
    return services.creationMutex.run(async () => {
      const { directory } = services;
      const organization = resolveOrganization(services, reference);
      const shops = directory.shopsOf(organization.key);
      const chosen = handle ?? `shop-${shops.length + 1}`;
      if (!isSlug(chosen))
        throw new AppError('invalid_input', 'A handle consists of a-z, 0-9 and hyphens.');
      if (directory.findShop(organization.key, chosen) !== null) {
        throw new AppError('conflict', `A shop "${chosen}" already exists.`);
      }
      const last = await findLastKeys(services.db);
      const statement = newShop(services, last.shop + 1, {
        organizationKey: organization.key,
        handle: chosen,
        name,
        currency,
        locale,
        domain,
      });
      await commit(services, [statement], {
        organization,
        event: 'shop.created',
        details: { handle: chosen },
      });
      return viewShop(directory.findShop(organization.key, chosen)!);
    });
  },
});

export const listShops = defineOperation({
  name: 'shop.list',
  input: Type.Object({ organization: OrganizationReference }),
  async run(services: TenantServices, { organization }) {
    return services.directory
      .shopsOf(resolveOrganization(services, organization).key)
      .map(viewShop);
  },
});

/** The organization an operator means: by id or slug, or the only one there is. */
export function resolveOrganization(
  { directory }: BaseServices,
  reference: string | undefined,
): Organization {
  const all = directory.organizations();
  if (reference === undefined) {
    if (all.length === 1) return all[0]!;
    throw new AppError(
      'invalid_input',
      all.length === 0
        ? 'There is no organization yet.'
        : 'Several organizations: name one with --org.',
    );
  }
  const organization = directory.findOrganization(reference);
  if (organization === null) throw noSuchOrganization(reference);
  return organization;
}

/** The shop an operator means: by id or handle, or the organization's only one. */
export function resolveShop(
  { directory }: BaseServices,
  organization: Organization,
  reference: string | undefined,
): Shop {
  const shops = directory.shopsOf(organization.key);
  if (reference === undefined) {
    if (shops.length === 1) return shops[0]!;
    throw new AppError('invalid_input', 'Several shops: name one with --shop.');
  }
  const shop = directory.findShop(organization.key, reference);
  if (shop === null) throw noSuchShop(reference);
  return shop;
}

/** The named organization, or all of them. */
export function resolveShops(
  services: BaseServices,
  organization: Organization,
  reference: string | undefined,
): readonly Shop[] {
  return reference === undefined
    ? services.directory.shopsOf(organization.key)
    : [resolveShop(services, organization, reference)];
}

export function viewShop({
  key: _,
  organizationKey: __,
  generation: ___,
  revision: ____,
  pushes: _____,
  curationVersion: ______,
  ...view
}: Shop): ShopView {
  return view;
}

function viewOrganization(
  { directory }: BaseServices,
  { key, id, slug, name, rateLimit, publicAssistants, toolSets, profile }: Organization,
): OrganizationView {
  return {
    id,
    slug,
    name,
    rateLimit: rateLimit ?? 'unlimited',
    publicAssistants,
    toolSets,
    profile,
    shops: directory.shopsOf(key).map(viewShop),
  };
}

interface ShopInput {
  readonly organizationKey: number;
  readonly handle: string;
  readonly name: string;
  readonly currency: string;
  readonly locale: string;
  readonly domain: string | undefined;
}

function newShop({ db, platform }: TenantServices, key: number, input: ShopInput): Statement {
  checkName(input.name);
  const locale = parseLocale(input.locale);
  return insertShop(db, {
    ...input,
    key,
    id: platform.newId(),
    name: input.name.trim(),
    currency: parseCurrency(input.currency),
    locale,
    domain: input.domain === undefined ? null : parseDomain(input.domain),
  });
}

export function checkName(name: string): void {
  if (name.trim() === '') throw new AppError('invalid_input', 'A name must not be blank.');
}

/** The given profile lines, cleaned; null for an emptied one. */
function parseProfile(
  lines: Readonly<Partial<Record<keyof Profile, string>>>,
): Partial<Record<keyof Profile, string | null>> {
  const profile: Partial<Record<keyof Profile, string | null>> = {};
  for (const [name, text] of Object.entries(lines) as [keyof Profile, string][]) {
    const line = cleanLine(text);
    if (codePointCount(line) > PROFILE_LINE_MAX)
      throw new AppError(
        'invalid_input',
        `A profile line holds at most ${PROFILE_LINE_MAX} characters.`,
      );
    if (name === 'contactEmail' && line !== '' && !/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(line))
      throw new AppError('invalid_input', 'That is not an e-mail address.');
    profile[name] = line === '' ? null : line;
  }
  return profile;
}
