import Type from 'typebox';
import type { Translator } from '../../messages/translator.ts';
import { domainsOf } from '../../operations/offerings/offering-links.ts';
import { searchCatalog } from '../../operations/search/search-catalog.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';
import { translatorOf } from '../conversation.ts';
import { ucpEnvelope } from '../ucp.ts';
import { QUESTION_MAX } from './find-results.ts';
import { bytesOf, offeringLine, RESULT_BYTES_MAX } from './offering-text.ts';
import { defineTool } from './tool.ts';
import { type ProductSource, productsText, ucpProduct } from './ucp-product.ts';
import {
  filterMessages,
  narrow,
  Opaque,
  purchasable,
  type UcpFilters,
  ucpInput,
} from './ucp-request.ts';

const NAME = 'search_catalog';

/** Products of a page. A greater limit is taken for this one, as the protocol allows. */
const PAGE_MAX = 10;

/** The best products, of which filters leave some. */
const FILTERED_MAX = 100;

/** Bytes reserved for what surrounds the products. */
const FRAME_BYTES = 2000;

export const ucpSearchCatalog = defineTool({
  name: NAME,
  title: ['title.search_catalog'],
  description: ['describe.search_catalog'],
  ...ucpInput({
    query: Type.String({ minLength: 1, maxLength: QUESTION_MAX }),
    pagination: Type.Optional(
      Type.Object({
        cursor: Type.Optional(Type.String({ pattern: '^\\d{1,4}$' })),
        limit: Type.Optional(Type.Integer({ minimum: 1 })),
      }),
    ),
  }),
  output: Type.Object({
    ucp: Opaque,
    products: Type.Array(Opaque),
    pagination: Opaque,
  }),
  async handle(conversation, { catalog }) {
    const { services, organization } = conversation;
    const translator = translatorOf(conversation);
    const { query, pagination = {}, filters } = catalog;
    const offset = Number(pagination.cursor ?? 0);
    const limit = Math.min(pagination.limit ?? PAGE_MAX, PAGE_MAX);
    const isFiltered = filters !== undefined;
    const answer = await searchCatalog(services, {
      organizationKey: organization.key,
      shops: null,
      question: query,
      productsOnly: true,
      skipScoring: false,
      ...(isFiltered ? { offset: 0, limit: FILTERED_MAX } : { offset, limit }),
    });
    const domains = domainsOf(services, organization.key);
    const left = answer.results.flatMap((result, index) =>
      toSource(result, catalog).map((source) => ({ ...source, place: offset + index })),
    );
    // A page of what the filters leave is cut here, any other by the search.
    const page = isFiltered ? left.slice(offset, offset + limit) : left;
    const shown = fittingPage(page, { domains, translator });
    const end = isFiltered ? offset + page.length : offset + answer.results.length;
    const omitted = page[shown.length];
    const next = omitted === undefined ? end : isFiltered ? offset + shown.length : omitted.place;
    const hasMore = next > offset && next < (isFiltered ? left.length : answer.total);
    const messages = filterMessages(
      catalog,
      left.map(({ offering }) => offering.currency),
      translator,
    );
    return {
      text: productsText(translator.text('ucp.found', { count: shown.length }), shown, {
        domains,
        translator,
      }),
      structured: {
        ucp: ucpEnvelope('search'),
        products: shown.map((source) => ucpProduct(source, domains)),
        pagination: {
          has_next_page: hasMore,
          ...(hasMore && { cursor: String(next) }),
          ...(!isFiltered && answer.totalIsExact && { total_count: answer.total }),
        },
        ...(messages.length > 0 && { messages }),
      },
      ownHit: {
        classification: 'mcp_call',
        tool: NAME,
        question: query,
        resultCount: shown.length,
        ...(offset === 0 && { shown: shown.map(({ id }) => id) }),
      },
    };
  },
});

function toSource(
  { stored: { id, item }, shop, choice }: SearchResult,
  filters: UcpFilters,
): ProductSource[] {
  if (item.type !== 'product') return [];
  const ordered = choice === null ? item.variants : choice.ordered;
  const matched = choice?.matched ?? null;
  const featured =
    matched === null ? ordered : [matched, ...ordered.filter((variant) => variant !== matched)];
  const variants = narrow(filters, item, purchasable({ ...item, variants: featured }));
  return variants.length === 0 ? [] : [{ id, shop, offering: item, variants }];
}

/** The first products, as many as fit into a result. */
function fittingPage(
  page: readonly ProductSource[],
  { domains, translator }: { domains: readonly string[]; translator: Translator },
): ProductSource[] {
  let bytes = FRAME_BYTES;
  const shown: ProductSource[] = [];
  for (const source of page) {
    const line = offeringLine({ id: source.id, url: null }, source.offering, translator);
    bytes += bytesOf(line) + Buffer.byteLength(JSON.stringify(ucpProduct(source, domains)));
    if (bytes > RESULT_BYTES_MAX && shown.length > 0) break;
    shown.push(source);
  }
  return shown;
}
