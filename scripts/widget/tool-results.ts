import { sampleFiles } from '../../src/assets/sample-files.ts';
import { formatNamed } from '../../src/catalog/formats.ts';
import { isAvailable, isBookable, type Offering } from '../../src/domain/catalog.ts';
import { priceText } from '../../src/domain/money.ts';
import { variantFields } from '../../src/mcp/tools/variant-text.ts';
import { translatorFor } from '../../src/messages/translator.ts';
import { parseQuestion } from '../../src/search/query/parse-question.ts';
import { askedWords, chooseVariant } from '../../src/search/results/choose-variant.ts';
import { languageOf } from '../../src/search/text/language.ts';
import type { ToolAnswer } from './assistant.ts';

const ENGLISH = translatorFor('en');

/** A bit of everything: reduced, sold out, free, a service, a preorder, a long name. */
const PICKED = [
  'grinder-electric',
  'svc-barista-basic',
  'french-press',
  'cold-brew',
  'beans-sampler',
  'rug-swatches',
  'sofa-corner',
  'jacket-leather',
  'espresso-lever',
  'cup-double',
];

const QUESTION = 'a gift for somebody who lives for coffee';

const ASKED = askedWords(parseQuestion(QUESTION, languageOf('en')));

const CONTEXTS = [
  {
    type: 'context',
    name: 'Returns and exchanges',
    description:
      'You can send anything back within 45 days of delivery, for any reason or none. Between 1 November and 24 December the days count from Christmas Eve, so that presents can be unwrapped first.',
    publicUrl: 'https://shop.example.com/pages/returns',
  },
  {
    type: 'context',
    name: 'Gift cards',
    description: 'From 10 to 500 euros, by e-mail at once or on paper within two days.',
    publicUrl: null,
  },
];

/** Tool results for the sample catalogue, with images at `picturesUrl`. */
export interface SampleAnswers {
  readonly question: string;
  readonly searched: ToolAnswer;
  readonly listed: ToolAnswer;
  readonly answers: Readonly<Record<string, ToolAnswer>>;
}

export async function sampleAnswers(picturesUrl: string): Promise<SampleAnswers> {
  const offerings = await sampleOfferings(picturesUrl);
  const picked = PICKED.map((id) => offerings.find(({ externalId }) => externalId === id)!);
  const available = offerings.filter(({ availability }) => isAvailable(availability));
  const listed = available.slice(0, 40).map(shortItem);
  return {
    question: QUESTION,
    searched: {
      structuredContent: {
        query: QUESTION,
        count: picked.length,
        results: picked.map(searchResult),
        contexts: CONTEXTS,
        scoring: 'local',
        currency: 'EUR',
        meta: { lowConfidence: false },
      },
      _meta: bookableOf(picked),
    },
    listed: {
      structuredContent: {
        count: listed.length,
        total: available.length,
        truncated: true,
        results: listed,
      },
      _meta: bookableOf(available),
    },
    answers: {
      single_product_express_checkout: {
        structuredContent: { checkoutUrl: 'https://shop.example.com/cart/42:1', available: true },
      },
      get_booking_link: {
        structuredContent: { url: 'https://shop.example.com/book/barista-course' },
      },
    },
  };
}

/** The sample catalogue, read the way an import reads it. */
export async function sampleOfferings(picturesUrl: string): Promise<Offering[]> {
  const text = sampleFiles().offerings.replaceAll('"pictures/', `"${picturesUrl}/`);
  const bytes = (async function* () {
    yield new TextEncoder().encode(text);
  })();
  const source = { name: 'offerings.jsonl', bytes };
  const shop = { currency: 'EUR', shopUrl: 'https://shop.example.com', now: 0 };
  const offerings: Offering[] = [];
  for await (const row of formatNamed('json-lines')!.read(source, shop)) {
    if ('item' in row && row.item.type === 'product') offerings.push(row.item);
  }
  return offerings;
}

function bookableOf(offerings: readonly Offering[]) {
  const bookable = offerings.filter(isBookable).map(({ externalId }) => externalId);
  return { 'vitrine/bookable': bookable };
}

function shortItem(offering: Offering) {
  const { name, productType, vendor, currency, publicUrl, image } = offering;
  return {
    id: offering.externalId,
    type: 'product',
    name,
    productType,
    vendor,
    price: priceText(offering.priceMinor, currency),
    compareAtPrice: priceText(offering.compareAtPriceMinor, currency),
    currency,
    available: isAvailable(offering.availability),
    publicUrl,
    image,
  };
}

function searchResult(offering: Offering) {
  const { description, images, slug, publishedAt, tags, availability, variants } = offering;
  return {
    ...shortItem(offering),
    ...{ description, images, slug, publishedAt, tags, availability },
    score: 0.8,
    reason: '',
    url: offering.publicUrl,
    ...(variants.length > 1 && variantFields(chooseVariant(ASKED, offering), offering, ENGLISH)),
  };
}
