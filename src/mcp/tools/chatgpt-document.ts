import type { Conversation } from '../conversation.ts';

/*
 * The tools `search` and `fetch` as OpenAI's guide "Building MCP servers for ChatGPT and API
 * integrations" (developers.openai.com/api/docs/mcp) asks for them: the only tools that deep research
 * and company knowledge call. Both answer the same JSON as structured content and as their only text.
 */

/** The outcome of a tool whose text is the JSON of its structured content. */
export function asDocument<Structured extends object>(structured: Structured) {
  return { text: JSON.stringify(structured), structured };
}

/**
 * The address to cite, which the guide requires: the page itself, else the front page at the shop's
 * domain, else the landing page, which describes the shop.
 */
export function citedUrl(
  { services, organization }: Conversation,
  page: string | null,
  domain: string | null,
): string {
  if (page !== null) return page;
  if (domain !== null) return `https://${domain}/`;
  return `${services.landing.address.baseUrl}/rest/org/ai/${organization.id}/`;
}
