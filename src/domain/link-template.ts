import { ownLink } from './own-link.ts';

/** The placeholders of a template. Their values are percent-encoded, except `domain`. */
export const PLACEHOLDERS = [
  'product_id',
  'external_id',
  'variant_id',
  'sku',
  'slug',
  'domain',
  'quantity',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

export type TemplateValues = Readonly<Record<Placeholder, string | null>>;

const BRACED = /\{([^{}]*)\}/g;

/** Longest template, in characters. */
const TEMPLATE_MAX = 1024;

/**
 * What is wrong with a template, as a phrase that follows the template's name; null if nothing is. A
 * template is an https URL that uses only the placeholders above. Its host is either fixed, and one that
 * `ownLink` accepts, or `{domain}`, so that no other placeholder can decide where a buyer goes.
 */
export function templateFault(template: string, domains: readonly string[]): string | null {
  if (template.length > TEMPLATE_MAX) return `is longer than ${TEMPLATE_MAX} characters`;
  if (!template.startsWith('https://')) return 'must begin with https://';
  const names = [...template.matchAll(BRACED)].map(([, name]) => name!);
  const unknown = names.find((name) => !PLACEHOLDERS.some((placeholder) => placeholder === name));
  if (unknown !== undefined || /[{}]/.test(template.replace(BRACED, '')))
    return `may name only ${PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}`;
  const [authority = ''] = template.slice('https://'.length).split(/[/?#\\]/, 1);
  if (authority !== '{domain}' && domains.length === 0)
    return 'needs a shop with a domain: set one with --domain';
  const filled = template.replace(BRACED, (_, name) => (name === 'domain' ? 'a.example' : 'x'));
  if (!URL.canParse(filled)) return 'is not an address';
  const isOwn = !authority.includes('{') && ownLink(filled, domains) !== null;
  return authority === '{domain}' || isOwn ? null : `must be at ${domains.join(' or ')}`;
}

/** The URL for one offering; null if the offering lacks a value that the template needs. */
export function fillTemplate(template: string, values: TemplateValues): string | null {
  let isWhole = true;
  const filled = template.replace(BRACED, (_, name: Placeholder) => {
    const value = values[name];
    if (value === null) isWhole = false;
    return name === 'domain' ? (value ?? '') : encodeURIComponent(value ?? '');
  });
  return isWhole && URL.canParse(filled) ? filled : null;
}
