import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import packageJson from '../../package.json' with { type: 'json' };
import type { Organization } from '../domain/organization.ts';
import { truncateWords } from '../domain/text.ts';
import { type Translator, translatorForShops } from '../messages/translator.ts';
import type { Conversation } from './conversation.ts';
import { WIDGET_TYPE } from './resources/widget-uri.ts';

/** What the service tells an assistant about itself during the handshake. */
export interface Introduction {
  readonly serverInfo: Implementation;
  readonly capabilities: ServerCapabilities;
  /** At most 600 characters. */
  readonly instructions: string;
}

/** Maximum length of names in the instructions, in code points. */
const NAME_MAX = 80;

const INSTRUCTIONS_MAX = 600;

/** Minimum length of a shortened description, in code points; a shorter one is left out. */
const DESCRIPTION_MIN = 20;

/** No list changes are announced, because tools and resources do not change during a connection. */
const CAPABILITIES: ServerCapabilities = {
  tools: { listChanged: false },
  resources: { subscribe: false, listChanged: false },
  // MCP Apps: without this extension, strict hosts show no cards.
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [WIDGET_TYPE] } },
};

/** Cached by identity: organizations and shops become new objects whenever one of them changes. */
const INTRODUCTIONS = new WeakMap<Organization, Introduction>();

export function introductionOf({
  services,
  organization,
}: Pick<Conversation, 'services' | 'organization'>): Introduction {
  const known = INTRODUCTIONS.get(organization);
  if (known !== undefined) return known;
  const shops = services.directory.shopsOf(organization.key);
  const domain = shops.find((shop) => shop.domain !== null)?.domain ?? null;
  const introduction = {
    serverInfo: serverInfoOf(organization, domain),
    capabilities: CAPABILITIES,
    instructions: instructionsFor(organization, domain, translatorForShops(shops)),
  };
  INTRODUCTIONS.set(organization, introduction);
  return introduction;
}

/** The server's name is the program's; its title is the shop's. */
function serverInfoOf({ name, profile }: Organization, domain: string | null): Implementation {
  const { description } = profile;
  return {
    ...{ name: 'vitrine', title: name, version: packageJson.version },
    ...(description !== null && { description }),
    ...(domain !== null && {
      websiteUrl: `https://${domain}`,
      icons: [{ src: `https://${domain}/favicon.ico` }],
    }),
  };
}

function instructionsFor(
  { name, profile }: Organization,
  domain: string | null,
  { text }: Translator,
): string {
  const isShort = domain !== null && domain.length <= NAME_MAX;
  const shop = truncateWords(name, NAME_MAX) + (isShort ? ` (${domain})` : '');
  const first = text('instructions.shop', { shop });
  const others = text('instructions.use');
  const room = INSTRUCTIONS_MAX - first.length - others.length - 2;
  const description =
    profile.description === null || room < DESCRIPTION_MIN
      ? null
      : truncateWords(profile.description, room);
  return [first, ...(description === null ? [] : [description]), others].join(' ');
}
