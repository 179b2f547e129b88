import { createHash } from 'node:crypto';
import type { Directory } from '../../directory.ts';
import type { Context, Offering } from '../../domain/catalog.ts';
import { leadSentences } from '../../landing/lead-sentences.ts';
import { renderPage } from '../../landing/page.ts';
import type { PageContent, ServiceAddress } from '../../landing/page-content.ts';
import { type CatalogSurvey, Survey } from '../../landing/survey.ts';
import type { Platform } from '../../platform.ts';
import { findItems } from '../../storage/catalog/items.ts';
import type { Database } from '../../storage/engine/database.ts';
import { findGlances } from '../../storage/landing-pages.ts';
import { domainsOf } from '../offerings/offering-links.ts';
import type { Introductions } from './introductions.ts';

/** Catalogue texts read per slice: about 5 ms at 20,000 characters each. */
const TEXTS_AT_ONCE = 20;

/** Number and length of the shop's own texts that a writer receives. */
const WRITER_TEXTS = 3;
const WRITER_OFFERINGS = 10;
const WRITER_TEXT_MAX = 400;
const WRITER_GROUPS = 20;

interface Reading {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
}

/** Collects a page's content, except the model's introduction. Reads in slices of a few milliseconds. */
export async function gatherPageContent(
  services: Reading,
  organizationKey: number,
  address: ServiceAddress,
): Promise<PageContent> {
  const { directory } = services;
  const survey = await surveyCatalog(services, organizationKey);
  const read = (keys: readonly number[]) => readItems(services, organizationKey, keys);
  const { id, name, profile, publicAssistants, toolSets } = directory.organization(organizationKey);
  return {
    organization: { id, name, profile, takesPublic: publicAssistants.isOn, toolSets },
    shops: directory
      .shopsOf(organizationKey)
      .map(({ name, domain, currency, locale }) => ({ name, domain, currency, locale })),
    domains: domainsOf(services, organizationKey),
    survey,
    introduction: null,
    featured: (await read(survey.featured)).filter((item) => item.type === 'product'),
    bookable: (await read(survey.bookable)).filter((item) => item.type === 'product'),
    contexts: (await read(survey.contexts)).filter((item) => item.type === 'context'),
    address,
  };
}

async function surveyCatalog(
  { db, platform }: Reading,
  organizationKey: number,
): Promise<CatalogSurvey> {
  const survey = new Survey();
  for (let after: number | null = 0; after !== null; ) {
    const { glances, next } = await findGlances(db, organizationKey, after);
    for (const glance of glances) survey.add(glance);
    after = next;
    await platform.yield();
  }
  return survey.finish();
}

async function readItems(
  { db, platform }: Reading,
  organizationKey: number,
  keys: readonly number[],
): Promise<(Offering | Context)[]> {
  const items: (Offering | Context)[] = [];
  const atOnce = TEXTS_AT_ONCE * db.batchFactor;
  for (let start = 0; start < keys.length; start += atOnce) {
    const slice = keys.slice(start, start + atOnce);
    const found = await findItems(db, organizationKey, slice);
    // A version that an import has just removed is missing, but the page is stale by then.
    items.push(...slice.flatMap((key) => found.get(key)?.item ?? []));
    await platform.yield();
  }
  return items;
}

/** A model's introduction and the digest of its input; valid until that changes. */
export type Introduction = { readonly text: string; readonly of: string } | null;

/** A model's introduction; null if no model is configured or the shop has its own description. */
export async function introduce(
  {
    introductions,
    stopping,
  }: { readonly introductions: Introductions | null; readonly stopping: AbortSignal },
  content: PageContent,
  former: Introduction,
): Promise<Introduction> {
  const { organization, survey, contexts, featured } = content;
  if (introductions === null || organization.profile.description !== null) return null;
  const { products, services, categories, vendors } = survey;
  const named = (groups: CatalogSurvey['categories']) =>
    groups.slice(0, WRITER_GROUPS).map(({ name }) => name);
  const sketch = {
    ...{ name: organization.name, products, services },
    categories: named(categories),
    brands: named(vendors),
    texts: [
      ...contexts
        .slice(0, WRITER_TEXTS)
        .map(({ name, description }) => `${name}: ${leadSentences(description, WRITER_TEXT_MAX)}`),
      ...featured.slice(0, WRITER_OFFERINGS).map(({ name }) => name),
    ],
  };
  const of = digest([introductions.tag, sketch]);
  if (former?.of === of) return former;
  const text = await introductions.write(sketch, stopping);
  return text === null ? null : { text, of };
}

export interface RenderedPage {
  readonly markdown: string;
  readonly etag: string;
}

export function renderWithTag(content: PageContent): RenderedPage {
  const markdown = renderPage(content);
  return { markdown, etag: `"${digest(markdown)}"` };
}

/** 144 bits of SHA-256, in characters that are valid in an entity tag. */
export function digest(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}
