import Type, { type Static } from 'typebox';
import type { ByteBuffer } from '../../collections/byte-buffer.ts';
import { PropertyMap } from '../../collections/property-map.ts';
import { AVAILABILITIES, isAvailable, type Variant } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import type { Shop } from '../../domain/organization.ts';
import { acceptedLanguage, LANGUAGES } from '../../messages/languages.ts';
import { type Translator, translatorFor, translatorForShops } from '../../messages/translator.ts';
import type { ShownDocument } from '../../operations/indexes/shown-documents.ts';
import { type SearchAnswer, searchCatalog } from '../../operations/search/search-catalog.ts';
import { readCursor, writeCursor } from '../../operations/search/search-cursor.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';
import type { ReadQuery } from '../exchange/route-schema.ts';
import type { Visit } from '../exchange/visit.ts';
import { answerWith } from './answer-body.ts';
import { addHighlights } from './highlight-json.ts';
import { jsonFields, ResultV2, resultV2Start } from './result-v2.ts';
import { EXAMPLE_V3 } from './search-examples.ts';
import { SearchQuery, selectShops } from './search-query.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;
const VARIANTS_MAX = 20;

export const QueryV3 = Type.Object({
  ...SearchQuery.properties,
  limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`nextCursor` of the previous response.' }),
  ),
});

const Text = Type.Union([Type.String(), Type.Null()]);

const VariantV3 = Type.Object({
  id: Type.String(),
  title: Type.String(),
  sku: Text,
  price: Text,
  compareAtPrice: Text,
  available: Type.Boolean(),
  options: Type.Record(Type.String(), Type.String()),
  image: Text,
});

const ResultV3 = Type.Object({
  ...ResultV2.properties,
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Comparable only within one response.',
  }),
  rank: Type.Integer({ minimum: 1 }),
  matchedOn: Type.Array(Type.String()),
  highlights: Type.Array(
    Type.Object({
      field: Type.String(),
      snippet: Type.String({ description: 'HTML whose only element is <mark>.' }),
    }),
  ),
  explanation: Type.String(),
  currency: Text,
  availability: Type.Union([Type.Enum([...AVAILABILITIES]), Type.Null()]),
  available: Type.Union([Type.Boolean(), Type.Null()]),
  variants: Type.Array(VariantV3, { maxItems: VARIANTS_MAX }),
  matchedVariant: Type.Union(
    [
      Type.Object({
        ...VariantV3.properties,
        open: Type.Array(Type.String(), {
          description: 'Options whose value the question leaves open.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'The variant that words of the question choose: “red”, “size M”.' },
  ),
  shop: Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }),
  externalId: Type.String(),
  updatedAt: Type.String({ format: 'date-time' }),
});
type ResultV3 = Static<typeof ResultV3>;

const FacetValues = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }));

const Amount = Type.Union([Type.Number(), Type.Null()]);

const ConstraintV3 = Type.Object({
  kind: Type.Enum(['price', 'measure', 'exclude', 'availability', 'code', 'order'], {
    description: '`order`: the results that fit are ordered by price or date (“cheapest”).',
  }),
  text: Type.String({ description: 'The words of the question; a size is in canonical form.' }),
  min: Amount,
  max: Amount,
  currency: Text,
  unit: Text,
  relaxed: Type.Boolean({
    description: 'No item meets the constraint, so the results ignore it.',
  }),
});

const AnswerV3 = Type.Object({
  results: Type.Array(ResultV3, { maxItems: LIMIT_MAX }),
  count: Type.Integer({ minimum: 0, maximum: LIMIT_MAX }),
  query: Type.String(),
  total: Type.Integer({ minimum: 0 }),
  totalIsExact: Type.Boolean(),
  nextCursor: Text,
  tookMs: Type.Number(),
  scoring: Type.Enum(['language_model', 'local', 'skipped', 'unavailable', 'timeout']),
  facets: Type.Object({
    vendor: FacetValues,
    productType: FacetValues,
    tags: FacetValues,
    price: Type.Array(
      Type.Object({ currency: Type.String(), min: Type.String(), max: Type.String() }),
    ),
  }),
  suggestion: Text,
  meta: Type.Object({
    requestId: Type.String(),
    warnings: Type.Array(Type.String()),
    constraints: Type.Array(ConstraintV3, {
      description: 'The constraints found in the question.',
    }),
    lowConfidence: Type.Boolean({
      description: 'Nothing matches well; the results are the nearest items.',
    }),
    timings: Type.Record(Type.String(), Type.Number(), { description: 'Milliseconds by stage.' }),
    indexVersion: Type.Integer({ description: 'Changes whenever the catalogue does.' }),
  }),
});
type AnswerV3 = Static<typeof AnswerV3>;

export const SEARCH_V3 = {
  scope: 'search',
  description:
    'Returns everything in v2 plus explanations of the ranking, variants, facets, paging and timings.',
  requestHeaders: Type.Object({
    'Accept-Language': Type.Optional(
      Type.String({
        description: `Language of \`explanation\` and \`meta.warnings\`: ${LANGUAGES.join(', ')}. By default the shop’s.`,
      }),
    ),
  }),
  answer: AnswerV3,
  answerExample: EXAMPLE_V3,
} as const;

/** `shopId` is the shop in the path, if any. */
export async function searchV3(
  visit: Visit,
  { values: query, unknown }: ReadQuery<typeof QueryV3>,
  shopId?: string,
): Promise<Response> {
  const { services, caller, requestId } = visit;
  const startedMs = services.platform.monotonicMs();
  const shops = selectShops(visit, query.shop_id, shopId);
  const search = {
    organizationKey: caller.organization.key,
    shops,
    question: query.q,
    productsOnly: query.products_only,
    skipScoring: query.skip_scoring,
  };
  const place =
    query.cursor === undefined ? { offset: 0 } : readCursor(services, search, query.cursor);
  const { offset } = place;
  const answer = await searchCatalog(services, { ...search, ...place, limit: query.limit });
  // A further page is not another question.
  visit.ownHits.push({
    classification: 'search',
    ...(offset === 0 && {
      question: query.q,
      resultCount: answer.total,
      isDoubtful: answer.lowConfidence,
      shown: answer.results.map(({ stored }) => stored.id),
    }),
  });
  const translator = translatorOf(visit, shops);
  const nextOffset = offset + answer.results.length;
  const further: Omit<AnswerV3, 'results'> = {
    count: answer.results.length,
    query: query.q,
    total: answer.total,
    totalIsExact: answer.totalIsExact,
    nextCursor:
      nextOffset < answer.total
        ? writeCursor(services, search, { offset: nextOffset, basis: answer.basis })
        : null,
    tookMs: Math.round((services.platform.monotonicMs() - startedMs) * 100) / 100,
    scoring: answer.scoring,
    facets: toFacets(answer),
    suggestion: answer.suggestion,
    meta: {
      requestId,
      warnings: [
        ...unknown.map((name) =>
          translator.text('warning.unknownParameter', { name: printable(name) }),
        ),
        ...(shopId !== undefined && query.shop_id.length > 0
          ? [translator.text('warning.shopInPath')]
          : []),
        ...answer.warnings.map(translator.tell),
      ],
      constraints: [...answer.constraints],
      lowConfidence: answer.lowConfidence,
      timings: { ...answer.timings },
      indexVersion: answer.indexVersion,
    },
  };
  const { results } = answer;
  return answerWith(visit, { results, further }, (result, to) =>
    addResultV3(result, translator, to),
  );
}

/** For the language that the caller accepts, else that of the shops that are searched. */
function translatorOf(
  { request, headers, services, caller }: Visit,
  shops: readonly Shop[] | null,
): Translator {
  headers['vary'] = 'Accept-Language';
  const accepted = acceptedLanguage(request.headers.get('accept-language') ?? '');
  if (accepted !== null) return translatorFor(accepted);
  return translatorForShops(shops ?? services.directory.shopsOf(caller.organization.key));
}

/** Writes the JSON of a result. The parts that are the same in every response are kept with the document. */
function addResultV3(result: SearchResult, translator: Translator, to: ByteBuffer): void {
  const { document, shop, choice } = result;
  let kept = keptByDocument.get(document);
  if (kept?.shop !== shop) {
    kept = keptParts(document, shop);
    keptByDocument.set(document, kept);
  }
  to.addBytes(resultV2Start(result));
  addJudgedFields(result, translator, to);
  to.addBytes(kept.offer);
  if (choice === null) to.addBytes(NONE_MATCHED);
  else to.addText(jsonFields({ matchedVariant: toMatched(choice, document) }));
  to.addBytes(kept.end);
}

/** Writes the fields that differ in every response, with a comma before each. */
function addJudgedFields(result: SearchResult, translator: Translator, to: ByteBuffer): void {
  const { score, rank, matchedOn, highlights } = result;
  to.addText(`,"score":${score},"rank":${rank},"matchedOn":${JSON.stringify(matchedOn)}`);
  to.addText(',"highlights":');
  addHighlights(highlights, to);
  to.addText(`,"explanation":${JSON.stringify(result.explanation(translator))}`);
}

const encoder = new TextEncoder();

const NONE_MATCHED = encoder.encode(jsonFields({ matchedVariant: null }));

function toMatched(
  { matched, open }: NonNullable<SearchResult['choice']>,
  { stored: { item } }: ShownDocument,
): ResultV3['matchedVariant'] {
  if (matched === null || item.type !== 'product') return null;
  return { ...toVariant(matched, item.currency), open: [...open] };
}

/** The fields that v3 adds to v2 for each response alike, before and after `matchedVariant`, with their commas. */
interface KeptParts {
  readonly shop: Shop;
  readonly offer: Uint8Array;
  readonly end: Uint8Array;
}

const keptByDocument = new PropertyMap<ShownDocument, KeptParts>();

function keptParts({ stored: { item, updatedAt } }: ShownDocument, shop: Shop): KeptParts {
  const offering = item.type === 'product' ? item : null;
  const offer: Pick<ResultV3, 'currency' | 'availability' | 'available' | 'variants'> = {
    currency: offering?.currency ?? null,
    availability: offering?.availability ?? null,
    available: offering === null ? null : isAvailable(offering.availability),
    variants: (offering?.variants ?? [])
      .slice(0, VARIANTS_MAX)
      .map((variant) => toVariant(variant, offering!.currency)),
  };
  const origin: Pick<ResultV3, 'shop' | 'externalId' | 'updatedAt'> = {
    shop: { id: shop.id, name: shop.name },
    externalId: item.externalId,
    updatedAt: new Date(updatedAt).toISOString(),
  };
  return {
    shop,
    offer: encoder.encode(`,${jsonFields(offer)},`),
    end: encoder.encode(`,${jsonFields(origin)}}`),
  };
}

function toVariant(
  { id, title, sku, availability, options, image, ...prices }: Variant,
  currency: string,
): ResultV3['variants'][number] {
  return {
    id,
    title,
    sku,
    price: priceText(prices.priceMinor, currency),
    compareAtPrice: priceText(prices.compareAtPriceMinor, currency),
    available: isAvailable(availability),
    options: { ...options },
    image,
  };
}

function toFacets({ facets }: SearchAnswer): AnswerV3['facets'] {
  const { vendor, productType, tags, price } = facets;
  return {
    vendor: [...vendor],
    productType: [...productType],
    tags: [...tags],
    price: price.map(({ currency, minMinor, maxMinor }) => ({
      currency,
      min: priceText(minMinor, currency)!,
      max: priceText(maxMinor, currency)!,
    })),
  };
}

/** A caller's parameter name, shortened and without characters that could mislead a reader. */
function printable(name: string): string {
  return name.replace(/[^\w.-]/g, '?').slice(0, 40);
}
