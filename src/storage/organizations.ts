import { asc, eq } from 'drizzle-orm';
import {
  DEFAULT_RATE_LIMIT,
  type Organization,
  type Profile,
  type PublicAssistants,
  type RateLimit,
  type Shop,
  TOOL_SETS,
  type ToolSet,
} from '../domain/organization.ts';
import type { Database } from './engine/database.ts';
import { organizations, shops } from './engine/schema.ts';
import { type Statement, statement } from './engine/statement.ts';

/** One organization or all of them, oldest first, with those that were deleted. All of them are held in memory. */
export async function findOrganizations(
  db: Database,
  organizationKey?: number,
): Promise<Organization[]> {
  const isAsked =
    organizationKey === undefined ? undefined : eq(organizations.key, organizationKey);
  const rows = await db.find(
    db.orm.select().from(organizations).where(isAsked).orderBy(asc(organizations.key)),
  );
  return rows.map(({ ratePerMinute, burst, key, id, slug, name, ...further }) => {
    const { publicAssistants: isOn, publicRatePerMinute, publicBurst, ...others } = further;
    const { toolSets, createdAt, vectorModelKey, ...profile } = others;
    return {
      key,
      id,
      slug,
      name,
      createdAt,
      rateLimit:
        ratePerMinute === null || burst === null ? null : { perMinute: ratePerMinute, burst },
      publicAssistants: {
        isOn,
        rateLimit: { perMinute: publicRatePerMinute, burst: publicBurst },
      },
      toolSets: TOOL_SETS.filter((set) => toolSets.includes(set)),
      profile,
      vectorModelKey,
    };
  });
}

/** Makes the vectors of a model answer an organization. */
export function setVectorModel(db: Database, key: number, vectorModelKey: number): Statement {
  return statement(
    db.orm.update(organizations).set({ vectorModelKey }).where(eq(organizations.key, key)),
  );
}

/** The highest row keys that were ever used; 0 before the first. Rows of organizations and shops are never removed. */
export async function findLastKeys(db: Database): Promise<{ organization: number; shop: number }> {
  const [row] = await db.all<{ organization: number; shop: number }>({
    sql: `SELECT coalesce((SELECT max(key) FROM organizations), 0) AS organization,
            coalesce((SELECT max(key) FROM shops), 0) AS shop`,
    args: [],
  });
  return row!;
}

/** The shops of an organization, or all of them, oldest first. */
export async function findShops(db: Database, organizationKey?: number): Promise<Shop[]> {
  const isAsked =
    organizationKey === undefined ? undefined : eq(shops.organizationKey, organizationKey);
  return db.find(db.orm.select().from(shops).where(isAsked).orderBy(asc(shops.key)));
}

export function insertOrganization(
  db: Database,
  organization: Omit<
    Organization,
    'rateLimit' | 'publicAssistants' | 'toolSets' | 'profile' | 'vectorModelKey'
  >,
): Statement {
  const { perMinute, burst } = DEFAULT_RATE_LIMIT;
  return statement(
    db.orm.insert(organizations).values({ ...organization, ratePerMinute: perMinute, burst }),
  );
}

export function updateOrganization(
  db: Database,
  key: number,
  changes: {
    name?: string;
    rateLimit?: RateLimit | null;
    publicAssistants?: PublicAssistants;
    toolSets?: readonly ToolSet[];
    profile?: Partial<Profile>;
  },
): Statement {
  const { name, rateLimit, publicAssistants, toolSets, profile } = changes;
  return statement(
    db.orm
      .update(organizations)
      .set({
        ...(name === undefined ? {} : { name }),
        ...profile,
        ...(rateLimit === undefined
          ? {}
          : { ratePerMinute: rateLimit?.perMinute ?? null, burst: rateLimit?.burst ?? null }),
        ...(toolSets && { toolSets }),
        ...(publicAssistants && {
          publicAssistants: publicAssistants.isOn,
          publicRatePerMinute: publicAssistants.rateLimit.perMinute,
          publicBurst: publicAssistants.rateLimit.burst,
        }),
      })
      .where(eq(organizations.key, key)),
  );
}

/** The fields of a new shop; the rest is set later. */
export type NewShop = Pick<
  Shop,
  'key' | 'id' | 'organizationKey' | 'handle' | 'name' | 'domain' | 'currency' | 'locale'
>;

export function insertShop(db: Database, shop: NewShop): Statement {
  return statement(db.orm.insert(shops).values({ ...shop, furtherDomains: [] }));
}

/** The fields of a shop that an operator may change. */
export type ShopChanges = Partial<
  Pick<
    Shop,
    | 'name'
    | 'domain'
    | 'locale'
    | 'currency'
    | 'storefront'
    | 'furtherDomains'
    | 'productUrlTemplate'
    | 'bookingUrlTemplate'
    | 'checkoutUrlTemplate'
    | 'ucpEndpoint'
  >
>;

export function updateShop(db: Database, key: number, changes: ShopChanges): Statement {
  return statement(db.orm.update(shops).set(changes).where(eq(shops.key, key)));
}
