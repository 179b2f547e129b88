import Type, { type Static, type TProperties } from 'typebox';
import type { Offering, Variant } from '../../domain/catalog.ts';
import type { Translator } from '../../messages/translator.ts';

/** An id in a request. The longest kind is a URL. */
export const UcpId = Type.String({ maxLength: 2048 });

export const SelectedOption = Type.Object({ name: Type.String(), label: Type.String() });
export type SelectedOption = Static<typeof SelectedOption>;

const Filters = Type.Object({
  categories: Type.Optional(Type.Array(Type.String())),
  price: Type.Optional(
    Type.Object({
      min: Type.Optional(Type.Integer({ minimum: 0 })),
      max: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
});

const Context = Type.Object({ currency: Type.Optional(Type.String()) });

/** What a request narrows the products by. */
export interface UcpFilters {
  readonly filters?: Static<typeof Filters>;
  readonly context?: Static<typeof Context>;
}

/** An object of which a listing says no more, because the protocol's own schemas do. */
export const Opaque = Type.Unsafe<object>({ type: 'object' });

/**
 * The arguments of a tool, and what is listed of them: who asks, and the request. Members that the
 * protocol has besides are ignored.
 */
export function ucpInput<Own extends TProperties>(own: Own) {
  const meta = Type.Object({
    'ucp-agent': Type.Object({ profile: Type.String({ pattern: '^https?://' }) }),
  });
  return {
    input: Type.Object({
      meta,
      catalog: Type.Object({
        ...own,
        filters: Type.Optional(Filters),
        context: Type.Optional(Context),
      }),
    }),
    listedInput: Type.Object({
      meta,
      catalog: Type.Object({
        ...own,
        filters: Type.Optional(Opaque),
        context: Type.Optional(Opaque),
      }),
    }),
  };
}

export interface Message {
  readonly type: 'info' | 'error';
  readonly code: string;
  readonly content: string;
  readonly severity?: 'unrecoverable';
}

/** A variant with a price, without which the protocol cannot show it. */
export type Priced = Variant & { readonly priceMinor: number };

/**
 * What of an offering can be bought: its variants, or the offering itself where it has none, under its
 * external id. Without those whose price is unknown.
 */
export function purchasable(offering: Omit<Offering, 'attributes'>): Priced[] {
  const { variants, externalId, name, sku, gtins, priceMinor, compareAtPriceMinor } = offering;
  const itself: Variant = {
    ...{ id: externalId, title: name, sku, gtin: gtins[0] ?? null, priceMinor },
    ...{ compareAtPriceMinor, availability: offering.availability, options: {}, image: null },
  };
  const all = variants.length > 0 ? variants : [itself];
  return all.filter((variant): variant is Priced => variant.priceMinor !== null);
}

/** Of these variants of an offering, those that the filters leave: none if its category is filtered out. */
export function narrow(
  { filters = {}, context = {} }: UcpFilters,
  { productType, currency }: Pick<Offering, 'productType' | 'currency'>,
  variants: readonly Priced[],
): readonly Priced[] {
  const { categories, price = {} } = filters;
  const category = productType?.toLowerCase();
  if (categories !== undefined && !categories.some((name) => name.toLowerCase() === category))
    return [];
  if (isForeign(context, currency)) return variants;
  const { min = 0, max = Number.POSITIVE_INFINITY } = price;
  return variants.filter(({ priceMinor }) => priceMinor >= min && priceMinor <= max);
}

/** That a price filter was not applied, because nothing here converts currencies. */
export function filterMessages(
  { filters, context = {} }: UcpFilters,
  currencies: readonly string[],
  { text }: Translator,
): Message[] {
  const ignored = currencies.find((currency) => isForeign(context, currency));
  if (filters?.price === undefined || ignored === undefined) return [];
  const content = text('ucp.priceFilterIgnored', { currency: ignored });
  return [{ type: 'info', code: 'price_filter_ignored', content }];
}

/** A filter without a currency is taken for one in the shop's. */
function isForeign({ currency: asked }: { currency?: string }, currency: string): boolean {
  return asked !== undefined && asked.toUpperCase() !== currency;
}
