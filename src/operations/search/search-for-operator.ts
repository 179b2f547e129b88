import Type from 'typebox';
import { isAvailable } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { translatorFor } from '../../messages/translator.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization, resolveShop } from '../tenants/organizations.ts';
import { type ScoredBy, type SearchAnswer, searchCatalog } from './search-catalog.ts';
import type { SearchServices } from './search-services.ts';

/** The result of a search in the terminal. */
export interface OperatorSearch {
  readonly query: string;
  readonly count: number;
  readonly total: number;
  readonly scoring: ScoredBy;
  readonly suggestion: string | null;
  /** No result is a good match; the results are only the nearest ones. */
  readonly lowConfidence: boolean;
  readonly constraints: SearchAnswer['constraints'];
  readonly warnings: readonly string[];
  readonly tookMs: number;
  readonly results: readonly {
    readonly rank: number;
    readonly score: number;
    readonly id: string;
    readonly type: 'product' | 'context';
    readonly externalId: string;
    readonly name: string;
    readonly image: string | null;
    readonly price: string | null;
    readonly compareAtPrice: string | null;
    readonly currency: string | null;
    readonly available: boolean | null;
    readonly publicUrl: string | null;
    readonly shop: string;
    readonly matchedOn: readonly string[];
    readonly explanation: string;
  }[];
}

/** Like all that operators read. */
const ENGLISH = translatorFor('en');

/** The same search as over REST, for operators. */
export const searchForOperator = defineOperation({
  name: 'search',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    shop: Type.Optional(Type.String()),
    question: Type.String({ minLength: 1, maxLength: 1024 }),
    productsOnly: Type.Boolean(),
    skipScoring: Type.Boolean(),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
  async run(
    services: SearchServices,
    { organization: reference, shop, ...input },
  ): Promise<OperatorSearch> {
    const startedMs = services.platform.monotonicMs();
    const organization = resolveOrganization(services, reference);
    const shops = shop === undefined ? null : [resolveShop(services, organization, shop)];
    await services.learned.readOnce();
    const answer = await searchCatalog(services, {
      organizationKey: organization.key,
      shops,
      offset: 0,
      ...input,
    });
    const results = answer.results.map((result) => {
      const {
        stored: { id, item },
        shop: { handle },
        rank,
        score,
        matchedOn,
      } = result;
      const offering = item.type === 'product' ? item : null;
      return {
        rank,
        score,
        id,
        type: item.type,
        externalId: item.externalId,
        name: item.name,
        image: offering?.image ?? null,
        price: offering && priceText(offering.priceMinor, offering.currency),
        compareAtPrice: offering && priceText(offering.compareAtPriceMinor, offering.currency),
        currency: offering?.currency ?? null,
        available: offering === null ? null : isAvailable(offering.availability),
        publicUrl: item.publicUrl,
        shop: handle,
        matchedOn,
        explanation: result.explanation(ENGLISH),
      };
    });
    const { total, scoring, suggestion, lowConfidence, constraints, warnings } = answer;
    const tookMs = Math.round((services.platform.monotonicMs() - startedMs) * 100) / 100;
    return {
      query: input.question,
      count: results.length,
      total,
      scoring,
      suggestion,
      lowConfidence,
      constraints,
      warnings: warnings.map(ENGLISH.tell),
      tookMs,
      results,
    };
  },
});
