import type { Availability, Offering } from '../domain/catalog.ts';
import { ownLink } from '../domain/own-link.ts';
import { type Translator, translatorForShops } from '../messages/translator.ts';
import { type ContextKind, classifyContext } from './context-kinds.ts';
import { priceOf, pricesOf } from './figures.ts';
import { howToUse } from './how-to-use.ts';
import { firstSentence, leadSentences } from './lead-sentences.ts';
import { escapeMarkdown, markdownLink, markdownList, pageText } from './markdown.ts';
import type { PageContent } from './page-content.ts';
import { shopSentence } from './shop-sentence.ts';
import type { OfferingGroup } from './survey.ts';

/** Largest page in bytes: assistants read a file of this size whole. */
const PAGE_BYTES_MAX = 25_000;

/** Increase with every change to this file's output, so that stored pages become stale. */
export const PAGE_VERSION = 3;

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

/** Further groups that are listed by name only. */
const FURTHER_GROUPS_MAX = 60;

/** A description that starts with this many characters of the name only repeats the name. */
const SAME_CHARACTERS = 40;

/** Longest code, in characters; a longer one is a name that a feed put into the wrong column. */
const CODE_MAX = 40;

const DESCRIPTION_MAX = 400;
const CONTACT_MAX = 300;

/** The section that readers of llms.txt may leave out, which they know by this name. */
const OPTIONAL = 'Optional';

/** The landing page: Markdown in the form of llms.txt, at most 25,000 bytes of UTF-8. */
export function renderPage(content: PageContent): string {
  const translator = translatorForShops(content.shops);
  for (const extent of EXTENTS) {
    const page = renderAt(content, extent, translator);
    if (Buffer.byteLength(page) <= PAGE_BYTES_MAX || extent === EXTENTS.at(-1)) return page;
  }
  return '';
}

function renderAt(content: PageContent, extent: Extent, translator: Translator): string {
  const { text } = translator;
  const writer = new PageWriting(content, extent, translator);
  const blocks = [
    `# ${writer.text(content.organization.name, 200)}`,
    `> ${writer.text(shopSentence(content, translator), DESCRIPTION_MAX)}`,
    writer.facts(),
    ...section(text('landing.howToUse'), howToUse(content, translator)),
    ...writer.groups(),
    ...section(text('landing.featured'), writer.featured()),
    ...section(text('landing.services'), writer.services()),
    ...section(text('landing.policies'), writer.contexts('policy')),
    ...section(text('landing.contact'), writer.contact()),
    ...section(OPTIONAL, writer.contexts('other')),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function section(title: string, body: string): string[] {
  return body === '' ? [] : [`## ${title}`, body];
}

/** Writes the sections made from catalogue data. All catalogue text passes through `text` or `link`. */
class PageWriting {
  readonly #content: PageContent;
  readonly #extent: Extent;
  readonly #translator: Translator;
  readonly #ownHosts: readonly string[];

  constructor(content: PageContent, extent: Extent, translator: Translator) {
    this.#content = content;
    this.#extent = extent;
    this.#translator = translator;
    const mail = content.organization.profile.contactEmail?.split('@').at(-1)?.toLowerCase();
    const domains = content.shops.flatMap(({ domain }) => domain?.replace(/:\d+$/, '') ?? []);
    this.#ownHosts = mail === undefined ? domains : [...domains, mail];
  }

  text(text: string, limit: number): string {
    return escapeMarkdown(pageText(text, { limit, ownHosts: this.#ownHosts }));
  }

  #link(name: string, url: string | null): string {
    const text = pageText(name, { limit: this.#extent.nameMax, ownHosts: this.#ownHosts });
    return markdownLink(text === '' ? this.#translator.text('landing.untitled') : text, url);
  }

  facts(): string {
    const { survey, shops } = this.#content;
    const { text, list } = this.#translator;
    const { products, services, available, onSale, changedAt } = survey;
    const offers = list([
      text('landing.products', { count: products }),
      ...(services > 0 ? [text('landing.serviceCount', { count: services })] : []),
    ]);
    const prices = pricesOf(survey, this.#translator);
    return markdownList([
      ...shops.slice(0, SHOPS_MAX).map((shop) => this.#shop(shop)),
      onSale > 0
        ? text('landing.offersOnSale', { offers, available, reduced: onSale })
        : text('landing.offers', { offers, available }),
      ...(prices === '' ? [] : [text('landing.prices', { prices })]),
      ...this.#brands(),
      ...(changedAt === 0
        ? []
        : [text('landing.asOf', { date: new Date(changedAt).toISOString().slice(0, 10) })]),
    ]);
  }

  #shop({ name, domain, currency, locale }: PageContent['shops'][number]): string {
    const { text, languageName } = this.#translator;
    const { shops, organization } = this.#content;
    const facts = { currency, language: languageName(locale) };
    const site = domain === null ? null : markdownLink(domain, `https://${domain}/`);
    if (shops.length > 1 || name !== organization.name) {
      const named = { ...facts, name: this.text(name, 60) };
      return site === null
        ? text('landing.namedShop', named)
        : text('landing.namedShopAt', { ...named, site });
    }
    return site === null ? text('landing.shop', facts) : text('landing.shopAt', { ...facts, site });
  }

  /** Nothing where the groups are brands themselves. */
  #brands(): string[] {
    const { text, count: digits } = this.#translator;
    const { vendors, categories } = this.#content.survey;
    const shown = vendors.slice(0, Math.ceil(VENDORS_MAX * this.#extent.share));
    if (shown.length === 0 || categories.length === 0) return [];
    const brands = shown
      .map(({ name, count }) => `${this.text(name, 60)} (${digits(count)})`)
      .join(', ');
    const more = vendors.length - shown.length;
    return [
      more > 0
        ? text('landing.brandListMore', { brands, more })
        : text('landing.brandList', { brands }),
    ];
  }

  /** Categories, or brands if the catalogue has no categories. */
  groups(): string[] {
    const { text } = this.#translator;
    const { categories, vendors, words } = this.#content.survey;
    const groups = categories.length > 0 ? categories : vendors;
    const shown = groups.slice(0, this.#extent.groupsMax);
    const rest = groups.slice(shown.length);
    const count = rest.reduce((sum, group) => sum + group.count, 0);
    const title = text(categories.length > 0 ? 'landing.categories' : 'landing.brands');
    const body = markdownList([
      ...shown.map((group) => this.#group(group)),
      ...(rest.length === 0
        ? []
        : [
            text('landing.furtherGroups', {
              groups: rest.length,
              offerings: text('landing.offerings', { count }),
              names: this.#names(rest),
            }),
          ]),
      ...(words.length === 0
        ? []
        : [text('landing.words', { words: this.text(words.join(', '), 400) })]),
    ]);
    return section(title, body);
  }

  #group(group: OfferingGroup): string {
    const { text } = this.#translator;
    const values = { name: this.text(group.name, 80), items: group.count };
    const prices = pricesOf(group, this.#translator);
    return prices === ''
      ? text('landing.group', values)
      : text('landing.groupPriced', { ...values, prices });
  }

  #names(groups: readonly OfferingGroup[]): string {
    const named = groups.slice(0, Math.ceil(FURTHER_GROUPS_MAX * this.#extent.share));
    const names = named.map(({ name }) => this.text(name, 40)).join(', ');
    return named.length < groups.length ? `${names}, …` : names;
  }

  featured(): string {
    const { featured, domains } = this.#content;
    return markdownList(
      this.#share(featured).map((offering) =>
        this.#offering(offering, ownLink(offering.publicUrl, domains)),
      ),
    );
  }

  services(): string {
    const { bookable, survey, domains } = this.#content;
    const shown = this.#share(bookable);
    const more = survey.services - shown.length;
    return markdownList([
      ...shown.map((service) =>
        this.#offering(
          service,
          ownLink(service.bookingUrl, domains) ?? ownLink(service.publicUrl, domains),
        ),
      ),
      ...(more > 0 && shown.length > 0
        ? [this.#translator.text('landing.moreServices', { count: more })]
        : []),
    ]);
  }

  /** `[Name](link): from 9.80 EUR; Coffee by Harbour; in stock. What it is.` */
  #offering(offering: Offering, url: string | null): string {
    const { text } = this.#translator;
    const { name, sku, externalId, availability, description } = offering;
    const kind = this.#kind(offering);
    const stock = STOCK[availability];
    const code = sku !== null && sku.length <= CODE_MAX ? sku : externalId;
    const facts = [
      priceOf(offering, this.#translator),
      kind === '' ? null : this.text(kind, 80),
      url === null ? `id ${this.text(code, 200)}` : null,
      stock === null ? null : text(stock),
    ].filter((fact) => fact !== null);
    const gist = this.#gist(description, name);
    const line = text('landing.item', { link: this.#link(name, url), facts: facts.join('; ') });
    return gist === '' ? line : `${line}. ${gist}`;
  }

  #kind({ productType: type, vendor }: Offering): string {
    const { text } = this.#translator;
    if (vendor === null) return type ?? '';
    return type === null
      ? text('landing.by', { vendor })
      : text('landing.typeBy', { type, vendor });
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
    return markdownList(
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
    const own = markdownList(
      (
        [
          ['landing.email', contactEmail],
          ['landing.telephone', contactPhone],
          ['landing.address', address],
          ['landing.hours', openingHours],
        ] as const
      ).flatMap(([key, value]) =>
        value === null
          ? []
          : [this.#translator.text(key, { value: this.text(value, CONTACT_MAX) })],
      ),
    );
    return [own, this.contexts('contact')].filter((part) => part !== '').join('\n');
  }

  #share<Item>(items: readonly Item[]): readonly Item[] {
    return items.slice(0, Math.ceil(items.length * this.#extent.share));
  }
}

type StockKey =
  | `availability.${'in_stock' | 'limited_stock' | 'out_of_stock'}`
  | `landing.${'backorder' | 'preorder' | 'discontinued'}`;

const STOCK: Readonly<Record<Availability, StockKey | null>> = {
  in_stock: 'availability.in_stock',
  limited_stock: 'availability.limited_stock',
  backorder: 'landing.backorder',
  preorder: 'landing.preorder',
  out_of_stock: 'availability.out_of_stock',
  discontinued: 'landing.discontinued',
  unknown: null,
};
