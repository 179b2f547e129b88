import { ownLink } from '../../domain/own-link.ts';
import { truncateWords } from '../../domain/text.ts';
import { domainsOf } from '../../operations/offerings/offering-links.ts';
import { listContexts, readContext } from '../../operations/offerings/read-context.ts';
import type { Conversation } from '../conversation.ts';
import type { Resource, ResourceEntry } from './resource.ts';

const PREFIX = 'context://';
const DESCRIPTION_MAX = 120;

/** Shop information beyond products: policies, FAQ, opening hours. */
export const contexts: Resource = {
  async read({ services, organization }, uri) {
    if (!uri.startsWith(PREFIX)) return null;
    const context = await readContext(services, organization.key, uri.slice(PREFIX.length));
    if (context === null) return null;
    const { name, description } = context;
    const link = ownLink(context.publicUrl, domainsOf(services, organization.key));
    const source = link === null ? '' : `\n\n<${link}>`;
    return { uri, mimeType: 'text/markdown', text: `# ${name}\n\n${description}${source}\n` };
  },
};

/**
 * Contexts with row keys above `after`, and the key from which the next page continues; null at the
 * end.
 */
export async function contextEntries(
  { services, organization }: Conversation,
  { after, limit }: { after: number; limit: number },
): Promise<{ entries: ResourceEntry[]; next: number | null }> {
  const found = await listContexts(services, organization.key, { after, limit });
  const entries = found.map(({ id, context: { name, description } }) => ({
    uri: PREFIX + id,
    name: id,
    title: name,
    description: truncateWords(description.replace(/\s+/g, ' '), DESCRIPTION_MAX),
    mimeType: 'text/markdown',
  }));
  return { entries, next: found.length < limit ? null : found.at(-1)!.key };
}

export const CONTEXT_TEMPLATE = {
  uriTemplate: `${PREFIX}{id}`,
  name: 'context',
  title: 'Shop information',
  description: 'A policy, an answer or a page of the shop, whole, by the id of a search result.',
  mimeType: 'text/markdown',
};
