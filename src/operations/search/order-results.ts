import { minorDigits } from '../../domain/money.ts';
import type { Constraint } from '../../search/query/constraints.ts';
import { fittingCandidates, orderFitting } from '../../search/ranking/order-fitting.ts';
import type { Ranking } from '../../search/ranking/rank.ts';
import { listed, type RankedCandidate } from '../../search/ranking/ranked-list.ts';
import type { Retrieved } from './retrieve.ts';

/** Dates are read for at most this many of the results that fit. */
const DATED_MAX = 100;

/**
 * A ranking in the order that the question demands: `cheapest`, `newest`. Only the results that fit
 * are ordered, and only by the first demand; others, and one for which nothing has a price or a date,
 * count as relaxed.
 */
export async function orderResults(
  ranking: Ranking,
  {
    constraints,
    headGroup,
    retrieved,
  }: {
    readonly constraints: readonly Constraint[];
    readonly headGroup: number;
    readonly retrieved: Retrieved;
  },
): Promise<Ranking> {
  const [order, ...others] = constraints.filter((constraint) => constraint.kind === 'order');
  if (order === undefined) return ranking;
  const ranked = ranking.ranked.slice(0);
  const fitting = fittingCandidates(ranked, headGroup);
  const values =
    order.by === 'newest'
      ? await agesOf(fitting.slice(0, DATED_MAX), retrieved)
      : pricesOf(fitting, order.by === 'lowestPrice' ? 1 : -1);
  const isMet = values.size > 0;
  return {
    ...ranking,
    ranked: isMet
      ? listed(orderFitting(ranked, fitting, (candidate) => values.get(candidate) ?? null))
      : ranking.ranked,
    relaxed: new Set([...ranking.relaxed, ...others, ...(isMet ? [] : [order])]),
  };
}

type Values = ReadonlyMap<RankedCandidate, number>;

/** The lowest or highest price in major units, negated for the highest. Nothing is converted. */
function pricesOf(fitting: readonly RankedCandidate[], sign: 1 | -1): Values {
  return new Map(
    fitting.flatMap((candidate) => {
      const { prices, currency } = candidate.facts;
      if (prices.length === 0) return [];
      const price = Math.min(...prices.map((minor) => sign * minor));
      return [[candidate, price / 10 ** minorDigits(currency)] as const];
    }),
  );
}

async function agesOf(fitting: readonly RankedCandidate[], retrieved: Retrieved): Promise<Values> {
  const shown = await retrieved.findShown(fitting);
  return new Map(
    fitting.flatMap((candidate, at) => {
      const item = shown[at]?.stored.item;
      const publishedAt = item?.type === 'product' ? item.publishedAt : null;
      return publishedAt === null ? [] : [[candidate, -Date.parse(publishedAt)] as const];
    }),
  );
}
