import Type, { type Static } from 'typebox';
import type { SourceHints } from '../../catalog/open-source.ts';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import {
  type CatalogSourceRow,
  deleteCatalogSource,
  findCatalogSource,
  findCatalogSources,
  saveCatalogSource,
  updateCatalogSource,
} from '../../storage/catalog/catalog-sources.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Validators } from '../../web/download.ts';
import { defineOperation } from '../define-operation.ts';
import type { ImportServices } from '../imports/import-services.ts';
import { resolveOrganization, resolveShop, resolveShops } from '../tenants/organizations.ts';

/** Shortest interval; catalogues change less often. */
const EVERY_MS_MIN = 60_000;
const EVERY_MS_MAX = 90 * 24 * 3_600_000;

/** Interval between two imports from one URL. */
export const EveryMs = Type.Integer({ minimum: EVERY_MS_MIN, maximum: EVERY_MS_MAX });

/** The outcome of an import from a URL. */
export type SourceResult =
  | { readonly state: 'imported'; readonly summary: Readonly<Record<string, number>> }
  | { readonly state: 'unchanged' }
  | { readonly state: 'failed'; readonly message: string };

/** A `SourceResult` as a reader enforces it: the members of all its forms. */
const Result = Type.Object({
  state: Type.Enum(['imported', 'unchanged', 'failed']),
  summary: Type.Optional(Type.Record(Type.String(), Type.Number())),
  message: Type.Optional(Type.String()),
});

/** A URL that a catalogue is imported from, as operators see it. */
export interface CatalogSourceView {
  readonly shop: string;
  readonly url: string;
  /** Null if it is only imported by hand. */
  readonly everyMs: number | null;
  readonly nextAt: string | null;
  /** Failures in a row since the last success. */
  readonly failures: number;
  readonly lastAt: string | null;
  readonly lastResult: SourceResult | null;
}

const PLACE = {
  organization: Type.Optional(Type.String()),
  shop: Type.Optional(Type.String()),
};
const Url = Type.String({ maxLength: 2048 });
/** Hints as stored and as sent by operators: a map is a list of pairs. */
export const Hints = Type.Object({
  full: Type.Optional(Type.Boolean()),
  format: Type.Optional(Type.String()),
  encoding: Type.Optional(Type.String()),
  sheet: Type.Optional(Type.String()),
  mapping: Type.Optional(Type.Array(Type.Tuple([Type.String(), Type.String()]))),
});

export function storedHints(
  { format, encoding, sheet, mapping }: SourceHints,
  isFull: boolean,
): Static<typeof Hints> {
  return {
    ...(isFull ? { full: true } : {}),
    ...(format === undefined ? {} : { format }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(mapping === undefined ? {} : { mapping: [...mapping] }),
  };
}

/** Throws `damaged` if they cannot be read, because a feed read in another way gives wrong offerings. */
export function hintsOf(db: Database, source: CatalogSourceRow): SourceHints {
  return readHints(parseHints(db, source));
}

export function readHints({ mapping, full: _, ...rest }: Static<typeof Hints>): SourceHints {
  return { ...rest, ...(mapping === undefined ? {} : { mapping: new Map(mapping) }) };
}

/** Whether the source contains the shop's whole catalogue. */
export function isFull(db: Database, source: CatalogSourceRow): boolean {
  return parseHints(db, source).full === true;
}

function parseHints(db: Database, { hints }: CatalogSourceRow): Static<typeof Hints> {
  const stored = db.parse<Static<typeof Hints>>(hints);
  if (stored !== null) return stored;
  throw new AppError('damaged', 'The settings of this source are damaged: import its URL again.');
}

/** The validators for a conditional request; null if the hints have changed since the last import. */
export const findSourceValidators = defineOperation({
  name: 'catalog.source.find',
  input: Type.Object({ ...PLACE, url: Url, hints: Hints }),
  async run(services: ImportServices, { url, hints, ...place }): Promise<Validators | null> {
    const source = await findCatalogSource(services.db, shopOf(services, place).key, url);
    if (source === null || source.hints !== JSON.stringify(hints)) return null;
    return { etag: source.etag, lastModified: source.lastModified };
  },
});

const NullableText = Type.Union([Type.String(), Type.Null()]);

/** Saves a URL after an import by hand, and schedules its refreshes if there is an interval. */
export const saveSource = defineOperation({
  name: 'catalog.source.save',
  input: Type.Object({
    ...PLACE,
    url: Url,
    hints: Hints,
    allowPrivate: Type.Boolean(),
    everyMs: Type.Optional(EveryMs),
    validators: Type.Union([
      Type.Object({ etag: NullableText, lastModified: NullableText }),
      Type.Null(),
    ]),
    result: Type.Unsafe<SourceResult>(Result),
  }),
  async run(services: ImportServices, input): Promise<CatalogSourceView> {
    const { db, platform } = services;
    const shop = shopOf(services, input);
    const known = await findCatalogSource(db, shop.key, input.url);
    const everyMs = input.everyMs ?? known?.everyMs ?? null;
    const nowMs = platform.now();
    const source = {
      shopKey: shop.key,
      url: input.url,
      hints: JSON.stringify(input.hints),
      allowPrivate: input.allowPrivate ? 1 : 0,
      everyMs,
      nextAt: everyMs === null ? null : nowMs + everyMs,
      failures: 0,
      etag: input.validators?.etag ?? null,
      lastModified: input.validators?.lastModified ?? null,
      lastAt: nowMs,
      lastResult: JSON.stringify(input.result),
    };
    await db.write([saveCatalogSource(db, source)]);
    return viewOf(db, shop, { key: 0, ...source });
  },
});

export const listSources = defineOperation({
  name: 'catalog.source.list',
  input: Type.Object(PLACE),
  async run(
    services: ImportServices,
    { organization: reference, shop },
  ): Promise<CatalogSourceView[]> {
    const organization = resolveOrganization(services, reference);
    const shops = resolveShops(services, organization, shop);
    const views: CatalogSourceView[] = [];
    for (const each of shops) {
      const sources = await findCatalogSources(services.db, each.key);
      views.push(...sources.map((source) => viewOf(services.db, each, source)));
    }
    return views;
  },
});

/** Changes how often a URL is imported, from now on; null stops it. Throws `not_found`. */
export const scheduleSource = defineOperation({
  name: 'catalog.source.schedule',
  input: Type.Object({ ...PLACE, url: Url, everyMs: Type.Union([EveryMs, Type.Null()]) }),
  async run(services: ImportServices, { url, everyMs, ...place }): Promise<CatalogSourceView> {
    const { db, platform } = services;
    const shop = shopOf(services, place);
    const source = await findCatalogSource(db, shop.key, url);
    if (source === null) throw noSource();
    const change = { everyMs, nextAt: everyMs === null ? null : platform.now() + everyMs };
    await db.write([updateCatalogSource(db, source.key, change)]);
    return viewOf(db, shop, { ...source, ...change });
  },
});

/** Forgets a URL; imported items stay. Throws `not_found`. */
export const removeSource = defineOperation({
  name: 'catalog.source.remove',
  input: Type.Object({ ...PLACE, url: Url }),
  async run(services: ImportServices, { url, ...place }): Promise<{ url: string }> {
    const { key } = shopOf(services, place);
    const [removed] = await services.db.write([deleteCatalogSource(services.db, key, url)]);
    if (removed?.rowsAffected === 0) throw noSource();
    return { url };
  },
});

function noSource(): AppError {
  return new AppError(
    'not_found',
    'There is no such source: "vitrine catalog sources" lists them.',
  );
}

function shopOf(
  services: ImportServices,
  { organization, shop }: { organization?: string; shop?: string },
): Shop {
  return resolveShop(services, resolveOrganization(services, organization), shop);
}

function viewOf(db: Database, shop: Shop, source: CatalogSourceRow): CatalogSourceView {
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    shop: shop.handle,
    url: source.url,
    everyMs: source.everyMs,
    nextAt: instant(source.nextAt),
    failures: source.failures,
    lastAt: instant(source.lastAt),
    lastResult: source.lastResult === null ? null : db.parse<SourceResult>(source.lastResult),
  };
}
