import type { Translator } from '../messages/translator.ts';
import { markdownList } from './markdown.ts';
import type { PageContent } from './page-content.ts';

/** Instructions for calling the shop's tools. Contains no catalogue text and no key. */
export function howToUse({ organization, address }: PageContent, { text }: Translator): string {
  const { baseUrl, isPublic } = address;
  const { id, takesPublic, toolSets } = organization;
  const search = { address: `\`GET ${baseUrl}/rest/search/v3/?q=QUESTION\`` };
  return `${text('use.ask')}

${markdownList([
  ...(isPublic ? [] : [text('use.ownMachine')]),
  text('use.mcp', { address: `\`${baseUrl}/mcp/org/${id}/\`` }),
  text(takesPublic ? 'use.public' : 'use.key'),
  text('use.search'),
  text('use.list'),
  text('use.page'),
  text('use.book'),
  text('use.checkout'),
  ...toolSets.map((set) => text(`use.${set}`)),
  text('use.ids'),
  text(takesPublic ? 'use.restKey' : 'use.rest', search),
  text('use.thisPage', { address: `\`GET ${baseUrl}/rest/org/ai/${id}/\`` }),
])}`;
}
