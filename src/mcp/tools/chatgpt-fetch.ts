import Type from 'typebox';
import type { Context } from '../../domain/catalog.ts';
import { priceText } from '../../domain/money.ts';
import { ownLink } from '../../domain/own-link.ts';
import { truncateWords } from '../../domain/text.ts';
import type { Translator } from '../../messages/translator.ts';
import { type FoundOffering, findOffering } from '../../operations/offerings/find-offering.ts';
import { domainsOf, productUrl, variantUrl } from '../../operations/offerings/offering-links.ts';
import { readContext } from '../../operations/offerings/read-context.ts';
import { type Conversation, translatorOf } from '../conversation.ts';
import { fenced, inert, oneLine } from './catalogue-text.ts';
import { asDocument, citedUrl } from './chatgpt-document.ts';
import { bytesOf, offeringLine, RESULT_BYTES_MAX } from './offering-text.ts';
import { OfferingReference } from './reference.ts';
import { defineTool } from './tool.ts';
import { optionsLine, variantLines } from './variant-text.ts';

const NAME = 'fetch';

/** Code points of a description, tried in order until the result fits; the last always does. */
const DESCRIPTION_LIMITS = [20_000, 10_000, 5000, 1000] as const;

const ATTRIBUTES_MAX = 50;
/** Code points of a line, besides the description. */
const LINE_MAX = 300;

interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** `fetch` as ChatGPT's deep research and company knowledge call it. */
export const chatgptFetch = defineTool({
  name: NAME,
  title: ['title.fetch'],
  description: ['describe.fetch'],
  input: Type.Object({ id: OfferingReference('Id of a result of search') }),
  output: Type.Object({
    id: Type.String(),
    title: Type.String(),
    text: Type.String(),
    url: Type.String(),
    metadata: Type.Object({}, { additionalProperties: Type.String() }),
  }),
  async handle(conversation, { id }) {
    const { services, organization } = conversation;
    const context = await readContext(services, organization.key, id);
    if (context !== null) {
      const document = contextDocument(conversation, id.toLowerCase(), context);
      const ownHit = { classification: 'mcp_call', tool: NAME, resultCount: 1 };
      return { ...asDocument(document), ownHit };
    }
    const found = await findOffering(services, organization.key, id);
    if (found === null) {
      const ownHit = { classification: 'mcp_call', tool: NAME, resultCount: 0 };
      return { miss: translatorOf(conversation).text('document.unknown'), ownHit };
    }
    const document = offeringDocument(conversation, found);
    const ownHit = { classification: 'product_view', tool: NAME, offeringId: found.id };
    return { ...asDocument(document), ownHit };
  },
});

function contextDocument(conversation: Conversation, id: string, context: Context): Document {
  const domains = domainsOf(conversation.services, conversation.organization.key);
  const url = citedUrl(conversation, ownLink(context.publicUrl, domains), domains[0] ?? null);
  const translator = translatorOf(conversation);
  return fittingDocument((limit) => ({
    id,
    title: inert(context.name),
    text: documentText([context.name, truncateWords(context.description, limit)], translator),
    url,
    metadata: { type: 'context' },
  }));
}

function offeringDocument(conversation: Conversation, found: FoundOffering): Document {
  const { id, shop, offering, variant } = found;
  const translator = translatorOf(conversation);
  const { text } = translator;
  const { name, description, currency, availability, vendor, productType, variants } = offering;
  const { image, tags, attributes } = offering;
  const own = productUrl(found, domainsOf(conversation.services, shop.organizationKey));
  const page = own === null ? null : variantUrl(shop, own, variant);
  const fact = (label: string, value: string) =>
    truncateWords(oneLine(text('document.fact', { name: label, value })), LINE_MAX);
  const facts: readonly (readonly [string, string | null])[] = [
    ['price', priceText(offering.priceMinor, currency)],
    ['currency', currency],
    ['availability', availability],
    ['vendor', vendor],
    ['productType', productType],
    ['image', image],
  ];
  const listed = variants.length > 1 ? variantLines(variants, currency, translator) : [];
  const more = variants.length - listed.length;
  return fittingDocument((limit) => ({
    id,
    title: inert(name),
    text: documentText(
      [
        offeringLine({ id, url: page }, offering, translator),
        ...(productType === null ? [] : [fact(text('document.type'), productType)]),
        ...(vendor === null ? [] : [fact(text('document.brand'), vendor)]),
        ...(tags.length === 0 ? [] : [fact(text('document.tags'), tags.join(', '))]),
        ...Object.entries(attributes)
          .slice(0, ATTRIBUTES_MAX)
          .map(([attribute, value]) => fact(attribute, String(value))),
        truncateWords(description, limit),
        ...(listed.length === 0 ? [] : [optionsLine(variants, translator), ...listed]),
        ...(listed.length === 0 || more === 0
          ? []
          : [text('document.moreVariants', { count: more })]),
      ],
      translator,
    ),
    url: citedUrl(conversation, page, shop.domain),
    metadata: {
      type: offering.kind,
      ...Object.fromEntries(
        facts.flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
      ),
    },
  }));
}

function documentText(lines: readonly string[], { text }: Translator): string {
  return [text('tool.fence'), ...fenced(lines.filter((line) => line !== ''))].join('\n');
}

/** The document with as much of its description as a result may hold. */
function fittingDocument(make: (descriptionMax: number) => Document): Document {
  const [whole, ...shorter] = DESCRIPTION_LIMITS;
  let document = make(whole);
  for (const limit of shorter) {
    const text = JSON.stringify(document);
    if (Buffer.byteLength(text) + bytesOf(text) <= RESULT_BYTES_MAX) break;
    document = make(limit);
  }
  return document;
}
