import Type, { type Static } from 'typebox';
import { comparable, isAvailable, isBookable } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { ownLink } from '../../domain/own-link.ts';
import { truncateWords } from '../../domain/text.ts';
import { domainsOf, productUrl } from '../../operations/offerings/offering-links.ts';
import {
  type SearchAnswer,
  type SearchResult,
  searchCatalog,
} from '../../operations/search/search-catalog.ts';
import { FENCE_NOTE, fenced, oneLine } from './catalogue-text.ts';
import { fitting, offeringLine, RESULT_BYTES_MAX, sharedCurrency } from './offering-text.ts';
import { defineTool, NullableString } from './tool.ts';
import { choiceLine, VARIANT_FIELDS, variantFields } from './variant-text.ts';

const QUESTION_MAX = 1024;
const OFFERINGS_MAX = 10;
const CONTEXTS_MAX = 3;
/** Maximum code points of a description, because each one costs the model tokens. */
const DESCRIPTION_MAX = 300;
/** Results requested: as many as REST returns, so that both show the same offerings. */
const LOOKED_AT = 20;
/** Bytes reserved for the sentences around the items. */
const FRAME_BYTES = 4000;

const Result = Type.Object({
  id: Type.String(),
  type: Type.String(),
  name: Type.String(),
  description: Type.String(),
  image: NullableString,
  images: Type.Array(Type.String()),
  slug: NullableString,
  publicUrl: NullableString,
  publishedAt: NullableString,
  vendor: NullableString,
  tags: Type.Array(Type.String()),
  productType: NullableString,
  price: NullableString,
  compareAtPrice: NullableString,
  currency: Type.String(),
  availability: Type.String(),
  available: Type.Boolean(),
  score: Type.Number(),
  reason: Type.String(),
  url: NullableString,
  ...VARIANT_FIELDS,
});

const ContextResult = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  publicUrl: NullableString,
  score: Type.Number(),
});

const Output = Type.Object({
  query: Type.String(),
  count: Type.Integer(),
  results: Type.Array(Result),
  contexts: Type.Array(ContextResult),
  scoring: Type.String(),
  currency: NullableString,
  meta: Type.Object({
    total: Type.Integer(),
    suggestion: NullableString,
    lowConfidence: Type.Boolean(),
    warnings: Type.Array(Type.String()),
  }),
});

export const searchOfferings = defineTool({
  name: 'search_offerings',
  title: 'Search offerings',
  description: [
    'Find products, services and shop information (returns, shipping, FAQ) by a question.',
    'Pass the person’s own words with prices, sizes, colours and what they do not want: “waterproof jacket under 150”, “coffee without caffeine”, “how do I return a mug?”, “SKU-4431”.',
    'Best first, at most 10 offerings and 3 passages of shop information. If nothing fits, say so.',
  ].join(' '),
  input: Type.Object({
    question: Type.String({
      minLength: 1,
      maxLength: QUESTION_MAX,
      description: 'Search query or question',
    }),
  }),
  output: Output,
  widget: 'shows',
  async handle({ services, organization }, { question }) {
    const answer = await searchCatalog(services, {
      organizationKey: organization.key,
      shops: null,
      question,
      productsOnly: false,
      skipScoring: false,
      offset: 0,
      limit: LOOKED_AT,
    });
    const domains = domainsOf(services, organization.key);
    const offerings = answer.results
      .flatMap((result) => toOffering(result, domains))
      .slice(0, OFFERINGS_MAX);
    const contexts = answer.results
      .flatMap((result) => toContext(result, domains))
      .slice(0, CONTEXTS_MAX);
    const kept = fitting([...contexts, ...offerings], RESULT_BYTES_MAX - FRAME_BYTES);
    const shownOfferings = offerings.filter((offering) => kept.includes(offering));
    const shownContexts = contexts.filter((context) => kept.includes(context));
    const tooLong = offerings.length + contexts.length - kept.length;
    const warnings = [
      ...answer.warnings,
      ...(tooLong === 0 ? [] : [`${tooLong} results are left out: the answer would be too long.`]),
    ];
    return {
      text: toText(question, answer, { shownOfferings, shownContexts, warnings }),
      structured: {
        query: question,
        count: shownOfferings.length,
        results: shownOfferings.map(({ structured }) => structured),
        contexts: shownContexts.map(({ structured }) => structured),
        scoring: answer.scoring,
        currency: sharedCurrency(shownOfferings.map(({ structured }) => structured.currency)),
        meta: {
          total: answer.total,
          suggestion: answer.suggestion,
          lowConfidence: answer.lowConfidence,
          warnings,
        },
      },
      bookable: shownOfferings.flatMap(({ structured, isBooked }) =>
        isBooked ? [structured.id] : [],
      ),
      ownHit: {
        classification: 'mcp_call',
        tool: 'search_offerings',
        question,
        resultCount: shownOfferings.length + shownContexts.length,
      },
    };
  },
});

interface Shown<Structured> {
  readonly line: string;
  readonly structured: Structured;
}

interface ShownOffering extends Shown<Static<typeof Result>> {
  readonly isBooked: boolean;
}

function toOffering(result: SearchResult, domains: readonly string[]): ShownOffering[] {
  const { stored, shop, description, score, explanation, choice } = result;
  const { id, item } = stored;
  if (item.type !== 'product') return [];
  const { type, name, image, images, slug, publicUrl, publishedAt, vendor, tags, productType } =
    item;
  const { currency } = item;
  const matched = choice?.matched ?? null;
  const { priceMinor, compareAtPriceMinor, availability } = matched ?? item;
  const offer = {
    priceMinor,
    compareAtPriceMinor: comparable(priceMinor, compareAtPriceMinor),
    availability,
  };
  const url = productUrl(shop, item, domains);
  const structured = {
    id,
    type,
    name,
    description: truncateWords(description, DESCRIPTION_MAX),
    image: matched?.image ?? image,
    images: [...images],
    slug,
    publicUrl: ownLink(publicUrl, domains),
    publishedAt,
    vendor,
    tags: [...tags],
    productType,
    price: priceText(offer.priceMinor, currency),
    compareAtPrice: priceText(offer.compareAtPriceMinor, currency),
    currency,
    availability,
    available: isAvailable(availability),
    score,
    reason: explanation,
    url,
    ...(choice !== null && variantFields(choice, item)),
  };
  const line = [
    offeringLine({ id, url }, { ...item, ...offer }),
    oneLine(structured.description),
    ...(choice === null ? [] : [choiceLine(choice, item)]),
    `Why: ${oneLine(explanation)}`,
  ]
    .filter((part) => part !== '')
    .join('\n   ');
  return [{ line, structured, isBooked: isBookable(item) }];
}

function toContext(
  result: SearchResult,
  domains: readonly string[],
): Shown<Static<typeof ContextResult>>[] {
  const { stored, score } = result;
  const { id, item } = stored;
  if (item.type !== 'context') return [];
  const { name } = item;
  const publicUrl = ownLink(item.publicUrl, domains);
  const description = truncateWords(result.description, DESCRIPTION_MAX);
  const line = `${oneLine(name)}: ${oneLine(description)}${publicUrl === null ? '' : ` (${publicUrl})`} [context://${id}]`;
  return [{ line, structured: { id, name, description, publicUrl, score } }];
}

function counted(offerings: number): string {
  return offerings === 1 ? '1 offering' : `${offerings} offerings`;
}

interface Shows {
  readonly shownOfferings: readonly Shown<unknown>[];
  readonly shownContexts: readonly Shown<unknown>[];
  readonly warnings: readonly string[];
}

function toText(
  question: string,
  { suggestion, lowConfidence, constraints }: SearchAnswer,
  { shownOfferings, shownContexts, warnings }: Shows,
): string {
  const relaxed = constraints.filter((constraint) => constraint.relaxed).map(({ text }) => text);
  const asked = truncateWords(question, 100);
  const isEmpty = shownOfferings.length === 0;
  const lines = [
    isEmpty
      ? `No offering matches “${asked}”. Say so, or try other words.`
      : `${counted(shownOfferings.length)} for “${asked}”, best first.`,
    ...(isEmpty && shownContexts.length === 0 ? [] : [FENCE_NOTE]),
    ...fenced(shownOfferings.map(({ line }, index) => `${index + 1}. ${line}`)),
    ...(shownContexts.length === 0 ? [] : ['Shop information:']),
    ...fenced(shownContexts.map(({ line }) => `- ${line}`)),
    ...(lowConfidence && !isEmpty ? ['Nothing really fits: these are the nearest there are.'] : []),
    ...(relaxed.length === 0 ? [] : [`Nothing meets: ${relaxed.join('; ')}.`]),
    ...(suggestion === null ? [] : [`Did they mean “${suggestion}”?`]),
    ...warnings,
  ];
  return lines.join('\n');
}
