/** What a template may name; each is percent-encoded when it is filled in, `domain` excepted. */
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
 * What is wrong with a template, in words that follow its name, or null. It is an https address with
 * no user info, knows only our placeholders, and its host is one of `domains` or `{domain}` itself:
 * nothing of the catalogue can lead a buyer elsewhere.
 */
export function templateFault(template: string, domains: readonly string[]): string | null {
  if (template.length > TEMPLATE_MAX) return `is longer than ${TEMPLATE_MAX} characters`;
  if (!template.startsWith('https://')) return 'must begin with https://';
  const names = [...template.matchAll(BRACED)].map(([, name]) => name!);
  const unknown = names.find((name) => !PLACEHOLDERS.some((placeholder) => placeholder === name));
  if (unknown !== undefined || /[{}]/.test(template.replace(BRACED, '')))
    return `may name only ${PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}`;
  const [authority = ''] = template.slice('https://'.length).split(/[/?#\\]/, 1);
  if (authority !== '{domain}' && (authority.includes('{') || !isHostOf(authority, domains)))
    return domains.length === 0
      ? 'needs a shop with a domain: set one with --domain'
      : `must be at ${domains.join(' or ')}`;
  const filled = template.replace(BRACED, (_, name) => (name === 'domain' ? 'a.example' : 'x'));
  return URL.canParse(filled) ? null : 'is not an address';
}

/** The address for one offering; null when the template names what it does not have. */
export function fillTemplate(template: string, values: TemplateValues): string | null {
  let isWhole = true;
  const filled = template.replace(BRACED, (_, name: Placeholder) => {
    const value = values[name];
    if (value === null) isWhole = false;
    return name === 'domain' ? (value ?? '') : encodeURIComponent(value ?? '');
  });
  return isWhole && URL.canParse(filled) ? filled : null;
}

/** Whether a host (a port may follow) is one of the domains or below one, such as `checkout.shop.example`. */
export function isHostOf(host: string, domains: readonly string[]): boolean {
  const wanted = host.toLowerCase();
  return domains.some((domain) => wanted === domain || wanted.endsWith(`.${domain}`));
}
