import type { Organization } from '../../domain/organization.ts';
import { getLandingPage } from '../../operations/landing/landing-pages.ts';
import type { Resource, ResourceEntry } from './resource.ts';

const PREFIX = 'landing://';

export function landingEntry({ id, name }: Organization): ResourceEntry {
  return {
    uri: PREFIX + id,
    name: 'landing-page',
    title: `About ${name}`,
    description: 'What this shop is, what it sells, and how to use it.',
    mimeType: 'text/markdown',
  };
}

/**
 * The landing page of the caller's organization. Pages of other organizations do not exist for the
 * caller.
 */
export const landing: Resource = {
  async read({ services, organization }, uri) {
    if (!uri.startsWith(PREFIX)) return null;
    const named = services.directory.findOrganization(uri.slice(PREFIX.length).replace(/\/$/, ''));
    if (named?.key !== organization.key) return null;
    const { page } = await getLandingPage(services, organization);
    return { uri, mimeType: 'text/markdown', text: page.markdown };
  },
};
