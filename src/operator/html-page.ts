import { createHash } from 'node:crypto';

/** A page whose policy allows only its own script and style, by their hashes, and images. */
export function page(html: string, status = 200): Response {
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(html),
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

function policyOf(html: string): string {
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
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
