import { createHash } from 'node:crypto';

/** What a page may do beyond showing itself. */
export interface PageRights {
  /** Where its forms may lead, redirects included, as sources of a policy; nowhere by default. */
  readonly formAction?: readonly string[];
  /** Whether it sends its origin with its forms, and keeps the window that opened it. */
  readonly isStep?: boolean;
}

/** A page whose policy allows only its own script and style, by their hashes, and images. */
export function page(html: string, status = 200): Response {
  return new Response(html, { status, headers: pageHeaders(html) });
}

/** The headers of such a page, by lower-case name. */
export function pageHeaders(html: string, rights: PageRights = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(html, rights),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': rights.isStep === true ? 'unsafe-none' : 'same-origin',
    'referrer-policy': rights.isStep === true ? 'same-origin' : 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
}

function policyOf(html: string, { formAction = ["'none'"] }: PageRights): string {
  const hashesOf = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))]
      .map(([, content]) => `'sha256-${createHash('sha256').update(content!).digest('base64')}'`)
      .join(' ');
  return [
    "default-src 'none'",
    `script-src ${hashesOf('script') || "'none'"}`,
    `style-src ${hashesOf('style') || "'none'"}`,
    'img-src http: https: data:',
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction.join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
