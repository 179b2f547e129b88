import type { OrganizationView } from '../../src/operations/tenants/organizations.ts';
import { post } from './mcp.ts';
import type { Service } from './service.ts';

/** Prefix of every word of a tenant. The third belongs to no tenant, for names that do not exist. */
const PREFIXES = ['quokka', 'zebraz'] as const;
const NOBODYS = 'xylobu';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An organization whose texts are all unique words, so that tests can recognize each of them in an answer. */
export interface Tenant {
  readonly prefix: string;
  readonly organization: OrganizationView;
  readonly apiKey: string;
  /** What the things of it are called, by kind. A shop's handle is left out: `shop-1` is everybody's. */
  readonly names: Readonly<Record<string, string>>;
  /** A cursor of its search for `kettle`. */
  readonly cursor: string;
  fetch: Service['fetch'];
}

/** Two organizations that sell the same kinds of things under different words. */
export async function makeTenants(service: Service): Promise<readonly [Tenant, Tenant]> {
  const left = await makeTenant(service, PREFIXES[0]);
  return [left, await makeTenant(service, PREFIXES[1])];
}

async function makeTenant(service: Service, prefix: string): Promise<Tenant> {
  const { operator } = service;
  const organization = await operator.createOrganization(`Tenant ${prefix}org`);
  const { id, slug, apiKey } = organization;
  await operator.importRows(rowsOf(prefix), { organization: slug });
  const second = await operator.createShop({
    name: `${prefix}shop`,
    currency: 'EUR',
    organization: slug,
  });
  const fetch = service.as(apiKey);
  const session = await post(
    fetch,
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} },
    { path: '/mcp/messages' },
  );
  const { nextCursor } = await search(fetch, 'kettle', 1);
  const [kettle] = (await search(fetch, `${prefix}name`, 1)).results;
  const [lesson] = (await search(fetch, `${prefix}lesson`, 1)).results;
  const [policy] = (await search(fetch, `${prefix}about`, 1)).results;
  const hit = await fetch('/rest/hits/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      organization: id,
      eventDate: '2026-01-01T00:00:00Z',
      classification: 'search',
      path: `/${prefix}path`,
    }),
  });
  const names = {
    organization: id,
    'organization slug': slug,
    shop: organization.shops[0]!.id,
    'second shop': second.id,
    product: kettle!.id,
    service: lesson!.id,
    context: policy!.id,
    'external id': `${prefix}extern`,
    variant: `${prefix}variant`,
    SKU: `${prefix}sku`,
    slug: `${prefix}slug`,
    URL: `https://${prefix}host.example/products/${prefix}slug`,
    word: `${prefix}name`,
    session: session.headers.get('mcp-session-id')!,
    hit: ((await hit.json()) as { id: string }).id,
    key: apiKey.split('_')[1]!,
  };
  return { prefix, organization, apiKey, names, cursor: nextCursor!, fetch };
}

function rowsOf(prefix: string): object[] {
  const host = `https://${prefix}host.example`;
  return [
    {
      externalId: `${prefix}extern`,
      name: `${prefix}name kettle`,
      description: `${prefix}text, it boils.`,
      vendor: `${prefix}vendor`,
      tags: [`${prefix}tag`],
      productType: `${prefix}kind`,
      slug: `${prefix}slug`,
      publicUrl: `${host}/products/${prefix}slug`,
      image: `https://${prefix}images.example/kettle.jpg`,
      currency: 'EUR',
      variants: [
        {
          id: `${prefix}variant`,
          title: `${prefix}option`,
          sku: `${prefix}sku`,
          price: '19.90',
          availability: 'in_stock',
          options: { Colour: `${prefix}colour` },
        },
      ],
    },
    {
      externalId: `${prefix}visit`,
      kind: 'service',
      name: `${prefix}lesson`,
      price: '65.00',
      bookingUrl: `${host}/${prefix}book`,
    },
    { externalId: 'shared', name: 'Shared kettle', description: `${prefix}shared`, price: '1.00' },
    {
      externalId: `${prefix}policy`,
      type: 'context',
      name: `About ${prefix}about`,
      description: `Our kettle policy: ${prefix}promise.`,
      publicUrl: `${host}/${prefix}page`,
    },
  ];
}

interface Found {
  readonly results: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

async function search(fetch: Service['fetch'], question: string, limit: number): Promise<Found> {
  return (await (await fetch(`/rest/search/v3/?q=${question}&limit=${limit}`)).json()) as Found;
}

/** A name of the same form and length that does not exist. */
export function missingTwin(name: string): string {
  if (UUID.test(name)) return name.slice(0, -8) + flipped(name.slice(-8));
  const twin = PREFIXES.reduce((text, prefix) => text.replaceAll(prefix, NOBODYS), name);
  return twin === name ? rotated(name) : twin;
}

function flipped(text: string): string {
  return text.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}

/** Another text with letters and digits in the same places. */
function rotated(text: string): string {
  const letter = (code: number, first: number) =>
    String.fromCharCode(((code - first + 13) % 26) + first);
  return text
    .replace(/\d/g, (digit) => `${9 - Number(digit)}`)
    .replace(/[A-Z]/g, (one) => letter(one.charCodeAt(0), 65))
    .replace(/[a-z]/g, (one) => letter(one.charCodeAt(0), 97));
}

/** The tenant's words and ids that an answer contains although the caller sent only `said`. */
export function leaksOf(
  { prefix, names, apiKey }: Tenant,
  answer: string,
  said: readonly string[],
): string[] {
  // What a caller says may come back, in parts, too. The prefix is never said alone, or it would hide all.
  const echoes = said.flatMap((text) =>
    UUID.test(text)
      ? [text]
      : [text, ...(text.match(/[\w-]+/g) ?? []), ...(text.match(/[a-z\d]+/gi) ?? [])],
  );
  const rest = echoes
    .map((echo) => echo.toLowerCase())
    .sort((a, b) => b.length - a.length)
    .reduce((text, echo) => text.replaceAll(echo, ''), answer.toLowerCase());
  const words = rest.match(new RegExp(`${prefix}\\w*`, 'g')) ?? [];
  const ids = [...Object.values(names), apiKey].filter((name) => rest.includes(name.toLowerCase()));
  return [...words, ...ids];
}
