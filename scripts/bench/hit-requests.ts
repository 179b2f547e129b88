const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
  'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
];

/** Number of different requests, as many as an edge worker might send within a moment. */
const REQUEST_COUNT = 500;

/** Complete requests that each record a hit, about as large as those of an edge worker. */
export function hitRequests(organization: string, apiKey: string): Uint8Array[] {
  return Array.from({ length: REQUEST_COUNT }, (_, index) => {
    const path = index % 3 === 0 ? '/search' : `/products/item-${index}`;
    const body = JSON.stringify({
      organization,
      eventDate: new Date(Date.UTC(2026, 10, 21, 0, 0, index)).toISOString(),
      classification: index % 3 === 0 ? 'search' : 'product_view',
      method: 'GET',
      path,
      url: `https://shop.example${path}?q=question+${index}`,
      userAgent: AGENTS[index % AGENTS.length],
      clientIp: `203.0.113.${index % 250}`,
      botScore: 0.1,
      headers: { accept: 'text/html', 'accept-language': 'en' },
      cf: { country: 'DE', asn: 3320, colo: 'FRA' },
    });
    const head = [
      'POST /rest/hits/ HTTP/1.1',
      'Host: 127.0.0.1',
      `X-API-Key: ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
