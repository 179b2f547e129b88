import Type, { type Static } from 'typebox';
import { ownLink } from '../../domain/own-link.ts';
import { domainsOf, productUrl, variantUrl } from '../../operations/offerings/offering-links.ts';
import type { SearchResult } from '../../operations/search/search-result.ts';
import type { Conversation } from '../conversation.ts';
import { inert } from './catalogue-text.ts';
import { asDocument, citedUrl } from './chatgpt-document.ts';
import { findResults, QUESTION_MAX } from './find-results.ts';
import { defineTool } from './tool.ts';

const NAME = 'search';

const Result = Type.Object({ id: Type.String(), title: Type.String(), url: Type.String() });

/** `search` as ChatGPT's deep research and company knowledge call it. */
export const chatgptSearch = defineTool({
  name: NAME,
  title: ['title.search'],
  description: ['describe.search'],
  input: Type.Object({
    query: Type.String({ minLength: 1, maxLength: QUESTION_MAX, description: 'Search query' }),
  }),
  output: Type.Object({ results: Type.Array(Result) }),
  async handle(conversation, { query }) {
    const { services, organization } = conversation;
    const { answer, results } = await findResults(conversation, query);
    const domains = domainsOf(services, organization.key);
    return {
      ...asDocument({ results: results.map((result) => toResult(conversation, result, domains)) }),
      ownHit: {
        classification: 'mcp_call',
        tool: NAME,
        question: query,
        resultCount: results.length,
        isDoubtful: answer.lowConfidence,
        shown: results.map(({ stored }) => stored.id),
      },
    };
  },
});

function toResult(
  conversation: Conversation,
  { stored: { id, item }, shop, choice }: SearchResult,
  domains: readonly string[],
): Static<typeof Result> {
  const variant = choice?.matched ?? null;
  const own =
    item.type === 'product'
      ? productUrl({ id, shop, offering: item, variant }, domains)
      : ownLink(item.publicUrl, domains);
  const page = own === null ? null : variantUrl(shop, own, variant);
  return { id, title: inert(item.name), url: citedUrl(conversation, page, shop.domain) };
}
