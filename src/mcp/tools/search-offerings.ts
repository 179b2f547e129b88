import Type, { type Static } from 'typebox';
import { PropertyMap } from '../../collections/property-map.ts';
import { comparable, isAvailable, isBookable, type Variant } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import type { Shop } from '../../domain/organization.ts';
import { ownLink } from '../../domain/own-link.ts';
import { truncateWords } from '../../domain/text.ts';
import type { Translator } from '../../messages/translator.ts';
import type { ShownDocument } from '../../operations/indexes/shown-documents.ts';
import { domainsOf, productUrl } from '../../operations/offerings/offering-links.ts';
import type { SearchAnswer } from '../../operations/search/search-catalog.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';
import { translatorOf } from '../conversation.ts';
import { fenced, oneLine } from './catalogue-text.ts';
import { findResults, QUESTION_MAX } from './find-results.ts';
import {
  bytesOf,
  fitting,
  offeringLine,
  RESULT_BYTES_MAX,
  sharedCurrency,
} from './offering-text.ts';
import { defineTool, NullableString } from './tool.ts';
import {
  choiceBytes,
  choiceLine,
  imagesOf,
  VARIANT_FIELDS,
  variantFields,
} from './variant-text.ts';

/** Maximum code points of a description, because each one costs the model tokens. */
const DESCRIPTION_MAX = 300;
/** Bytes reserved for the sentences around the items. */
const FRAME_BYTES = 4000;
/** Bytes of a score, and of what joins the parts of a line. */
const CHANGING_BYTES = 60;

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
  title: ['title.search_offerings'],
  description: ['describe.search_offerings'],
  input: Type.Object({
    question: Type.String({
      minLength: 1,
      maxLength: QUESTION_MAX,
      description: 'Search query or question',
    }),
  }),
  output: Output,
  widget: 'shows',
  async handle(conversation, { question }) {
    const { services, organization } = conversation;
    const { answer, results } = await findResults(conversation, question);
    const translator = translatorOf(conversation);
    const domains = domainsOf(services, organization.key);
    const offerings = results.flatMap((result) => toOffering(result, { domains, translator }));
    const contexts = results.flatMap((result) => toContext(result, domains));
    const kept = fitting([...contexts, ...offerings], RESULT_BYTES_MAX - FRAME_BYTES);
    const shownOfferings = offerings.filter((offering) => kept.includes(offering));
    const shownContexts = contexts.filter((context) => kept.includes(context));
    const tooLong = offerings.length + contexts.length - kept.length;
    const warnings = [
      ...answer.warnings.map(translator.tell),
      ...(tooLong === 0 ? [] : [translator.text('search.leftOut', { count: tooLong })]),
    ];
    return {
      text: toText({ question, answer, shownOfferings, shownContexts, warnings }, translator),
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
      variantImages: Object.fromEntries(
        shownOfferings.flatMap(({ structured, variantImages }) =>
          variantImages === null ? [] : [[structured.id, variantImages]],
        ),
      ),
      ownHit: {
        classification: 'mcp_call',
        tool: 'search_offerings',
        question,
        resultCount: shownOfferings.length + shownContexts.length,
        isDoubtful: answer.lowConfidence,
        shown: shownOfferings.map(({ structured }) => structured.id),
      },
    };
  },
});

interface Shown<Structured> {
  readonly line: string;
  readonly structured: Structured;
  /** At least the bytes of both, as JSON. */
  readonly bytes: number;
}

interface ShownOffering extends Shown<Static<typeof Result>> {
  readonly isBooked: boolean;
  /** By id of the variant; null if none has a picture of its own. */
  readonly variantImages: Readonly<Record<string, string>> | null;
}

type Product = Extract<SearchResult['stored']['item'], { type: 'product' }>;

/** What every result of an answer is shown by. */
interface Showing {
  readonly domains: readonly string[];
  readonly translator: Translator;
}

function toOffering(result: SearchResult, showing: Showing): ShownOffering[] {
  const { translator } = showing;
  const { stored, shop, score, choice } = result;
  const explanation = result.explanation(translator);
  const { id, item } = stored;
  if (item.type !== 'product') return [];
  const same = sameInAll(result, item, showing);
  const matched = choice?.matched ?? null;
  const chosen = matched === null ? null : chosenOf(matched, { id, shop, offering: item }, showing);
  const structured = {
    ...same.structured,
    ...chosen?.fields,
    score,
    reason: explanation,
    ...(choice !== null && variantFields(choice, item, translator)),
  };
  const line = [
    chosen?.line ?? same.line,
    same.descriptionLine,
    ...(choice === null ? [] : [choiceLine(choice, item, translator)]),
    translator.text('search.why', { reason: oneLine(explanation) }),
  ]
    .filter((part) => part !== '')
    .join('\n   ');
  const bytes =
    same.bytes +
    2 * bytesOf(explanation) +
    (choice === null ? 0 : choiceBytes(choice, item, translator)) +
    (chosen === null ? 0 : bytesOf(chosen.line) + Buffer.byteLength(JSON.stringify(chosen.fields)));
  const variantImages = choice === null ? null : imagesOf(choice.ordered);
  return [{ line, structured, bytes, isBooked: isBookable(item), variantImages }];
}

/** What every answer says of an offering, as long as its document is cached and no shop changes. */
interface SameInAll extends Showing {
  readonly structured: Static<typeof Result>;
  readonly line: string;
  readonly descriptionLine: string;
  /** Of all of it, as JSON. */
  readonly bytes: number;
}

const SAME = new PropertyMap<ShownDocument, SameInAll>();

function sameInAll(
  { document, stored: { id }, shop, description: whole }: SearchResult,
  item: Product,
  showing: Showing,
): SameInAll {
  const { domains, translator } = showing;
  const known = SAME.get(document);
  if (known?.domains === domains && known.translator === translator) return known;
  const { type, name, image, images, slug, publishedAt, vendor, tags, productType } = item;
  const { currency } = item;
  const description = truncateWords(whole, DESCRIPTION_MAX);
  const url = productUrl({ id, shop, offering: item }, domains);
  const structured = {
    ...{ id, type, name, description, image, images: [...images], slug },
    publicUrl: ownLink(item.publicUrl, domains),
    ...{ publishedAt, vendor, tags: [...tags], productType },
    ...offerFields(item, currency),
    ...{ score: 0, reason: '', url },
  };
  const line = offeringLine({ id, url }, item, translator);
  const descriptionLine = oneLine(description);
  const bytes =
    Buffer.byteLength(JSON.stringify(structured)) + bytesOf(line) + bytesOf(descriptionLine);
  const same = { ...showing, structured, line, descriptionLine, bytes: bytes + CHANGING_BYTES };
  SAME.set(document, same);
  return same;
}

/** An offering at the price and availability of a variant, with its picture and address. */
function chosenOf(
  matched: Variant,
  linked: { readonly id: string; readonly shop: Shop; readonly offering: Product },
  { domains, translator }: Showing,
) {
  const { id, offering } = linked;
  const { priceMinor, compareAtPriceMinor, availability } = matched;
  const offer = {
    ...{ priceMinor, availability },
    compareAtPriceMinor: comparable(priceMinor, compareAtPriceMinor),
  };
  const url = productUrl({ ...linked, variant: matched }, domains);
  const image = matched.image ?? offering.image;
  return {
    fields: { image, ...offerFields(offer, offering.currency), url },
    line: offeringLine({ id, url }, { ...offering, ...offer }, translator),
  };
}

function offerFields(
  offer: Pick<Variant, 'priceMinor' | 'compareAtPriceMinor' | 'availability'>,
  currency: string,
) {
  return {
    price: priceText(offer.priceMinor, currency),
    compareAtPrice: priceText(offer.compareAtPriceMinor, currency),
    currency,
    availability: offer.availability,
    available: isAvailable(offer.availability),
  };
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
  const structured = { id, name, description, publicUrl, score };
  const bytes = bytesOf(line) + Buffer.byteLength(JSON.stringify(structured));
  return [{ line, structured, bytes }];
}

interface Shows {
  readonly question: string;
  readonly answer: SearchAnswer;
  readonly shownOfferings: readonly Shown<unknown>[];
  readonly shownContexts: readonly Shown<unknown>[];
  readonly warnings: readonly string[];
}

function toText(
  { question: asked, answer, shownOfferings, shownContexts, warnings }: Shows,
  { text }: Translator,
): string {
  const { suggestion, lowConfidence, constraints } = answer;
  const relaxed = constraints.filter((constraint) => constraint.relaxed).map(({ text }) => text);
  const question = truncateWords(asked, 100);
  const count = shownOfferings.length;
  const isEmpty = count === 0;
  const lines = [
    isEmpty ? text('search.none', { question }) : text('search.found', { count, question }),
    ...(isEmpty && shownContexts.length === 0 ? [] : [text('tool.fence')]),
    ...fenced(shownOfferings.map(({ line }, index) => `${index + 1}. ${line}`)),
    ...(shownContexts.length === 0 ? [] : [text('search.contexts')]),
    ...fenced(shownContexts.map(({ line }) => `- ${line}`)),
    ...(lowConfidence && !isEmpty ? [text('search.nearest')] : []),
    ...(relaxed.length === 0 ? [] : [text('search.relaxed', { constraints: relaxed.join('; ') })]),
    ...(suggestion === null ? [] : [text('search.suggestion', { suggestion })]),
    ...warnings,
  ];
  return lines.join('\n');
}
