import { translatorForShops } from '../messages/translator.ts';
import { howToUse } from './how-to-use.ts';
import { escapeMarkdown, markdownList, pageText } from './markdown.ts';
import type { PageContent } from './page-content.ts';
import { shopSentence } from './shop-sentence.ts';

/** The AGENTS.md for the shop's web root: how agents should act, and where the landing page is. */
export function renderAgentsFile(content: PageContent): string {
  const { organization, shops } = content;
  const translator = translatorForShops(shops);
  const { text } = translator;
  const escaped = (line: string) => escapeMarkdown(pageText(line, { limit: 400 }));
  const domain = shops.find((shop) => shop.domain !== null)?.domain ?? null;
  const address = domain === null ? '`/llms.txt`' : `\`https://${domain}/llms.txt\``;
  return `# ${text('agents.title', { name: escaped(organization.name) })}

${escaped(shopSentence(content, translator))}

${text('agents.overview', { address })}

## ${text('agents.ask')}

${howToUse(content, translator)}

## ${text('agents.rules')}

${markdownList([
  text('agents.memory'),
  text('agents.none'),
  text('agents.data'),
  text('agents.order'),
  text('agents.wait'),
])}
`;
}
