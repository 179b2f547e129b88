import type { Context, Offering } from '../domain/catalog.ts';
import { formatPrice } from '../domain/money.ts';
import type { Profile } from '../domain/organization.ts';
import { ownLink } from '../domain/own-link.ts';
import { type ContextKind, classifyContext } from './context-kinds.ts';
import { firstSentence, leadSentences } from './lead-sentences.ts';
import { escapeMarkdown, markdownLink, pageText } from './markdown.ts';
import type { CatalogSurvey, OfferingGroup, PriceRange } from './survey.ts';

/** Largest page in bytes: assistants read a file of this size whole. */
const PAGE_BYTES_MAX = 25_000;

/** Increase with every change to this file's output, so that stored pages become stale. */
export const PAGE_VERSION = 2;

/** The input of a page. Equal content gives an identical page. */
export interface PageContent {
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly profile: Profile;
    /** Whether assistants are answered without a key. */
    readonly takesPublic: boolean;
  };
  readonly shops: readonly {
    readonly name: string;
    readonly domain: string | null;
    readonly currency: string;
    readonly locale: string;
  }[];
  /** Own hosts, as for `ownLink`; the page shows no other links. */
  readonly domains: readonly string[];
  readonly survey: CatalogSurvey;
  /** The introduction that a language model wrote; null if there is none. */
  readonly introduction: string | null;
  readonly featured: readonly Offering[];
  readonly bookable: readonly Offering[];
  readonly contexts: readonly Context[];
  readonly address: ServiceAddress;
}

/** The URL at which clients reach this service. */
export interface ServiceAddress {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether an operator configured it; otherwise it is the listener's own address. */
  readonly isPublic: boolean;
}

/** How many items a page shows, and how long their texts are. */
interface Extent {
  readonly nameMax: number;
  readonly gistMax: number;
  readonly policyMax: number;
  readonly groupsMax: number;
  readonly share: number;
}

const FULL: Extent = { nameMax: 120, gistMax: 150, policyMax: 360, groupsMax: 60, share: 1 };

/** Tried in order until the page fits; the last always fits. */
const EXTENTS: readonly Extent[] = [
  FULL,
  { ...FULL, gistMax: 90, policyMax: 240 },
  { ...FULL, nameMax: 90, gistMax: 0, policyMax: 200, groupsMax: 50 },
  { nameMax: 60, gistMax: 0, policyMax: 120, groupsMax: 40, share: 0.5 },
  { nameMax: 40, gistMax: 0, policyMax: 0, groupsMax: 15, share: 0.2 },
  { nameMax: 20, gistMax: 0, policyMax: 0, groupsMax: 0, share: 0 },
];

/** Brands listed in the facts, and texts listed in each section. */
const VENDORS_MAX = 15;
const CONTEXTS_MAX = 14;
const SHOPS_MAX = 10;

/** Groups named in the introduction. */
const NAMED_GROUPS = 3;

/** Further groups that are listed by name only. */
const FURTHER_GROUPS_MAX = 60;

/** A description that starts with this many characters of the name only repeats the name. */
const SAME_CHARACTERS = 40;

/** Longest code, in characters; a longer one is a name that a feed put into the wrong column. */
const CODE_MAX = 40;

const DESCRIPTION_MAX = 400;
const CONTACT_MAX = 300;

/** The landing page: Markdown in the form of llms.txt, at most 25,000 bytes of UTF-8. */
export function renderPage(content: PageContent): string {
  for (const extent of EXTENTS) {
    const page = renderAt(content, extent);
    if (Buffer.byteLength(page) <= PAGE_BYTES_MAX || extent === EXTENTS.at(-1)) return page;
  }
  return '';
}

function renderAt(content: PageContent, extent: Extent): string {
  const writer = new PageWriting(content, extent);
  const blocks = [
    `# ${writer.text(content.organization.name, 200)}`,
    `> ${writer.text(shopSentence(content), DESCRIPTION_MAX)}`,
    writer.facts(),
    ...section('How to use this shop', howToUse(content)),
    ...writer.groups(),
    ...section('Featured offerings', writer.featured()),
    ...section('Services and booking', writer.services()),
    ...section('Policies', writer.contexts('policy')),
    ...section('Contact', writer.contact()),
    ...section('Optional', writer.contexts('other')),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function section(title: string, body: string): string[] {
  return body === '' ? [] : [`## ${title}`, body];
}

/** The shop's own description, else the model's introduction, else a sentence made from the survey. */
export function shopSentence({ organization, introduction, survey }: PageContent): string {
  return (
    organization.profile.description ?? introduction ?? numbersSentence(organization.name, survey)
  );
}

function numbersSentence(name: string, survey: CatalogSurvey): string {
  const { products, services, categories, vendors, prices } = survey;
  const kinds = [
    ...(products > 0 || services === 0 ? [countOf(products, 'product')] : []),
    ...(services > 0 ? [countOf(services, 'bookable service')] : []),
  ].join(' and ');
  const groups = categories.length > 0 ? categories : vendors;
  const named = groups.slice(0, NAMED_GROUPS).map((group) => group.name);
  const rest = groups.length - named.length;
  const kind = categories.length > 0 ? 'categories' : 'brands';
  const listed =
    rest > 0 ? `${named.join(', ')} and ${number(rest)} more ${kind}` : named.join(', ');
  const by = categories.length > 0 ? `: ${listed}` : ` by ${listed}`;
  const range = prices[0] === undefined ? '' : `, from ${rangeText(prices[0])}`;
  return `${name} offers ${kinds}${named.length === 0 ? '' : by}${range}.`;
}

/** Writes the sections made from catalogue data. All catalogue text passes through `text` or `link`. */
class PageWriting {
  readonly #content: PageContent;
  readonly #extent: Extent;
  readonly #ownHosts: readonly string[];

  constructor(content: PageContent, extent: Extent) {
    this.#content = content;
    this.#extent = extent;
    const mail = content.organization.profile.contactEmail?.split('@').at(-1)?.toLowerCase();
    const domains = content.shops.flatMap(({ domain }) => domain?.replace(/:\d+$/, '') ?? []);
    this.#ownHosts = mail === undefined ? domains : [...domains, mail];
  }

  text(text: string, limit: number): string {
    return escapeMarkdown(pageText(text, { limit, ownHosts: this.#ownHosts }));
  }

  #link(name: string, url: string | null): string {
    const text = pageText(name, { limit: this.#extent.nameMax, ownHosts: this.#ownHosts });
    return markdownLink(text === '' ? 'Untitled' : text, url);
  }

  facts(): string {
    const { survey, shops, organization } = this.#content;
    const { products, services, available, onSale, prices, vendors, changedAt } = survey;
    const shown = vendors.slice(0, Math.ceil(VENDORS_MAX * this.#extent.share));
    const brands = shown.map(({ name, count }) => `${this.text(name, 60)} (${number(count)})`);
    const more = vendors.length - shown.length;
    return lines([
      ...shops.slice(0, SHOPS_MAX).map(({ name, domain, currency, locale }) => {
        const site = domain === null ? '' : ` at ${markdownLink(domain, `https://${domain}/`)}`;
        const named =
          shops.length > 1 || name !== organization.name ? `${this.text(name, 60)}, ` : '';
        return `Shop: ${named}prices in ${currency}, texts in ${languageOf(locale)}${site}`;
      }),
      `Offers: ${countOf(products, 'product')}${services > 0 ? ` and ${countOf(services, 'service')}` : ''}; ${number(available)} can be ordered now${onSale > 0 ? `, ${number(onSale)} at a reduced price` : ''}`,
      ...(prices.length === 0 ? [] : [`Prices: ${prices.map(rangeText).join('; ')}`]),
      ...(brands.length === 0 || survey.categories.length === 0
        ? []
        : [`Brands: ${brands.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`]),
      ...(changedAt === 0
        ? []
        : [`Catalogue as of ${new Date(changedAt).toISOString().slice(0, 10)}`]),
    ]);
  }

  /** Categories, or brands if the catalogue has no categories. */
  groups(): string[] {
    const { categories, vendors, words } = this.#content.survey;
    const groups = categories.length > 0 ? categories : vendors;
    const shown = groups.slice(0, this.#extent.groupsMax);
    const rest = groups.slice(shown.length);
    const further = rest.reduce((sum, { count }) => sum + count, 0);
    const title = categories.length > 0 ? 'Categories' : 'Brands';
    const body = lines([
      ...shown.map(
        (group) => `${this.text(group.name, 80)} (${number(group.count)})${pricesOf(group)}`,
      ),
      ...(rest.length === 0
        ? []
        : [
            `${number(rest.length)} more with ${countOf(further, 'offering')}: ${this.#names(rest)}`,
          ]),
      ...(words.length === 0 ? [] : [`Common words in names: ${this.text(words.join(', '), 400)}`]),
    ]);
    return section(title, body);
  }

  #names(groups: readonly OfferingGroup[]): string {
    const named = groups.slice(0, Math.ceil(FURTHER_GROUPS_MAX * this.#extent.share));
    const names = named.map(({ name }) => this.text(name, 40)).join(', ');
    return named.length < groups.length ? `${names}, …` : names;
  }

  featured(): string {
    const { featured, domains } = this.#content;
    return lines(
      this.#share(featured).map((offering) =>
        this.#offering(offering, ownLink(offering.publicUrl, domains)),
      ),
    );
  }

  services(): string {
    const { bookable, survey, domains } = this.#content;
    const shown = this.#share(bookable);
    const more = survey.services - shown.length;
    return lines([
      ...shown.map((service) =>
        this.#offering(
          service,
          ownLink(service.bookingUrl, domains) ?? ownLink(service.publicUrl, domains),
        ),
      ),
      ...(more > 0 && shown.length > 0
        ? [`${countOf(more, 'more service')}: ask \`search_offerings\`, then \`get_booking_link\``]
        : []),
    ]);
  }

  /** `[Name](link): from 9.80 EUR; Coffee by Harbour; in stock. What it is.` */
  #offering(offering: Offering, url: string | null): string {
    const { name, vendor, productType, sku, externalId, availability, description } = offering;
    const kind = [productType, vendor === null ? null : `by ${vendor}`].filter(
      (part) => part !== null,
    );
    const known = STOCK[availability];
    const code = sku !== null && sku.length <= CODE_MAX ? sku : externalId;
    const facts = [
      priceOf(offering),
      kind.length === 0 ? null : this.text(kind.join(' '), 80),
      url === null ? `id ${this.text(code, 200)}` : null,
      known === '' ? null : known,
    ].filter((fact) => fact !== null);
    const gist = this.#gist(description, name);
    return `${this.#link(name, url)}: ${facts.join('; ')}${gist === '' ? '' : `. ${gist}`}`;
  }

  /** The first sentence of a description, unless it only repeats the name. */
  #gist(description: string, name: string): string {
    const { gistMax } = this.#extent;
    if (gistMax === 0) return '';
    const clean = pageText(description.replace(/<[^>]{0,200}>/g, ' '), {
      limit: 4 * gistMax,
      ownHosts: this.#ownHosts,
    });
    const opening = (text: string) => text.slice(0, SAME_CHARACTERS);
    if (name.includes(opening(clean)) || clean.startsWith(opening(name))) return '';
    return this.text(firstSentence(clean), gistMax);
  }

  /** Texts of one kind, one line each: title, link, first sentence. */
  contexts(kind: ContextKind): string {
    const { policyMax } = this.#extent;
    const limit = kind === 'policy' ? policyMax : Math.round(policyMax / 2);
    const ofKind = this.#content.contexts
      .map((context) => ({ context, ...classifyContext(context) }))
      .filter((classified) => classified.kind === kind)
      .sort((one, other) => one.place - other.place);
    const shown = ofKind.slice(0, Math.ceil(CONTEXTS_MAX * this.#extent.share));
    return lines(
      shown.map(({ context: { name, publicUrl, description } }) => {
        const gist = limit === 0 ? '' : this.text(leadSentences(description, limit), limit);
        const link = ownLink(publicUrl, this.#content.domains);
        return `${this.#link(name, link)}${gist === '' ? '' : `: ${gist}`}`;
      }),
    );
  }

  contact(): string {
    const { contactEmail, contactPhone, address, openingHours } =
      this.#content.organization.profile;
    const own = lines(
      (
        [
          ['E-mail', contactEmail],
          ['Telephone', contactPhone],
          ['Address', address],
          ['Opening hours', openingHours],
        ] as const
      ).flatMap(([label, value]) =>
        value === null ? [] : [`${label}: ${this.text(value, CONTACT_MAX)}`],
      ),
    );
    return [own, this.contexts('contact')].filter((part) => part !== '').join('\n');
  }

  #share<Item>(items: readonly Item[]): readonly Item[] {
    return items.slice(0, Math.ceil(items.length * this.#extent.share));
  }
}

/** Instructions for calling the shop's tools. Contains no catalogue text and no key. */
export function howToUse({ organization, address }: PageContent): string {
  const { baseUrl, isPublic } = address;
  const known = isPublic
    ? []
    : [
        'No public address of this service has been set: the addresses below are where it listens on its own machine',
      ];
  return `Prices and stock change: ask before you quote them, name the currency, and give the link of what you name.

${lines([
  ...known,
  `MCP server (Streamable HTTP): \`${baseUrl}/mcp/org/${organization.id}/\``,
  organization.takesPublic
    ? 'Assistants need no key there: leave every key and sign-in out'
    : 'Every request needs the header `X-API-Key` with a key from the shop’s operator. A key stays on servers: never ask a shopper for one, and never show one',
  '`search_offerings` (`question`): products, services and policies for a whole sentence, such as "rain jacket under 150 in M" or "can I return shoes?"',
  '`list_all_offerings`: everything that can be ordered now, in short; for small catalogues and overviews',
  '`get_product_link` (`product_id`): the page of one product, with its present price and availability',
  '`get_booking_link` (`offering_id`): where a service is booked',
  '`single_product_express_checkout` (`product_id`): a checkout link for one product; opening it places no order',
  `Ids are those of search results; SKU, slug and product page address are understood too`,
  `Search without MCP: \`GET ${baseUrl}/rest/search/v3/?q=QUESTION\` answers JSON; \`products_only=true\` leaves policies out${organization.takesPublic ? '. It needs the header `X-API-Key` with a key from the shop’s operator' : ''}`,
  `This page: \`GET ${baseUrl}/rest/org/ai/${organization.id}/\``,
])}`;
}

const STOCK: Readonly<Record<Offering['availability'], string>> = {
  in_stock: 'in stock',
  limited_stock: 'few left',
  backorder: 'on back-order',
  preorder: 'pre-order',
  out_of_stock: 'out of stock',
  discontinued: 'discontinued',
  unknown: '',
};

function priceOf({ priceMinor, compareAtPriceMinor, currency, variants }: Offering): string {
  if (priceMinor === null) return 'price on request';
  const isLowest = variants.some((variant) => (variant.priceMinor ?? priceMinor) > priceMinor);
  const price = `${isLowest ? 'from ' : ''}${formatPrice(priceMinor, currency)} ${currency}`;
  if (compareAtPriceMinor === null) return price;
  return `${price} (sale, was ${formatPrice(compareAtPriceMinor, currency)})`;
}

function pricesOf({ prices }: OfferingGroup): string {
  return prices.length === 0 ? '' : `: ${prices.map(rangeText).join('; ')}`;
}

function rangeText({ currency, fromMinor, toMinor }: PriceRange): string {
  const from = formatPrice(fromMinor, currency);
  return fromMinor === toMinor
    ? `${from} ${currency}`
    : `${from} to ${formatPrice(toMinor, currency)} ${currency}`;
}

function languageOf(locale: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(locale) ?? locale;
}

function countOf(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}

function lines(entries: readonly string[]): string {
  return entries.map((entry) => `- ${entry}`).join('\n');
}
