import crawlers from 'crawler-user-agents';

/** The kinds of client that can make a request. */
export const AGENT_KINDS = [
  'human',
  // Fetches a page for a person who is asking an assistant right now.
  'ai_retrieval',
  // Crawls pages for an assistant's own search index.
  'ai_indexer',
  // Collects text that models are trained on.
  'ai_training',
  'search_engine',
  // Every other program: scripts, monitors, link previews, feed readers.
  'tool',
  'unknown',
] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

export interface Agent {
  /** A name from the tables below, `Browser` or `unknown`; never text that the caller sent. */
  readonly name: string;
  readonly kind: AgentKind;
  /** Whether the edge network verified it. If not, the user agent is only a claim. */
  readonly isVerified: boolean;
}

/** The evidence that an agent is recognized by. */
export interface AgentSigns {
  readonly userAgent: string | null;
  /** From 0 to 1; the higher, the more likely a program. */
  readonly botScore: number | null;
  readonly verifiedBot: boolean | null;
  /** Request metadata from the edge network (Cloudflare's `request.cf`). */
  readonly cf: Readonly<Record<string, unknown>> | null;
}

/** The user agent of `vitrine mcp check`, whose requests leave nothing in the owner's reports. */
export const CHECK_AGENT = 'vitrine-check';

/** At this bot score or above, a client that looks like a browser does not count as a person. */
const DOUBTFUL_SCORE = 0.7;

/** How many characters of a user agent are examined. */
const LOOKED_AT = 512;

/**
 * Assistants, classified by what their operators say each agent is for, then programs that are
 * missing from the package's list. The first name found in the user agent wins.
 */
const OWN_AGENTS: Readonly<Partial<Record<AgentKind, readonly string[]>>> = {
  ai_retrieval: [
    ...['ChatGPT-User', 'openai-mcp', 'Claude-User', 'claude-code', 'Perplexity-User'],
    ...['MistralAI-User', 'DuckAssistBot', 'Gemini-Deep-Research', 'Google-NotebookLM'],
    ...['Google-Gemini-CLI', 'Google-Agent', 'Meta-ExternalFetcher', 'Amzn-User', 'cohere-ai'],
    ...['Grok-DeepSearch', 'xAI-Grok', 'Manus-User', 'Kagi-Fetcher', 'PhindBot', 'Cursor/'],
  ],
  ai_indexer: [
    ...['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Amzn-SearchBot'],
    ...['AzureAI-SearchBot', 'Google-CloudVertexBot', 'YouBot', 'TavilyBot', 'LinkupBot', 'ExaBot'],
  ],
  ai_training: [
    ...['GPTBot', 'ClaudeBot', 'Claude-Web', 'anthropic-ai', 'Google-Extended', 'GoogleOther'],
    ...['Applebot-Extended', 'Meta-ExternalAgent', 'FacebookBot', 'Amazonbot', 'Bytespider'],
    ...['CCBot', 'cohere-training-data-crawler', 'AI2Bot', 'DeepSeekBot', 'PanguBot', 'GrokBot'],
  ],
  search_engine: [
    ...['Googlebot', 'bingbot', 'BingPreview', 'Applebot', 'DuckDuckBot', 'YandexBot'],
    ...['Baiduspider', 'PetalBot', 'Slurp', 'SeznamBot', 'Qwantbot', 'Bravebot', 'Mojeek'],
  ],
  tool: [
    ...['mcp-remote', 'modelcontextprotocol', 'mcp-inspector', 'python-mcp', 'curl/', 'Wget/'],
    ...['python-requests', 'python-httpx', 'aiohttp', 'axios/', 'okhttp', 'Go-http-client'],
    ...['PostmanRuntime', 'undici', 'node-fetch', 'Bun/', 'Deno/', 'vitrine'],
  ],
};

/** Cloudflare's `verifiedBotCategory`. */
const VERIFIED_CATEGORIES: Readonly<Record<string, AgentKind>> = {
  'AI Assistant': 'ai_retrieval',
  'AI Search': 'ai_indexer',
  'AI Crawler': 'ai_training',
  'Search Engine Crawler': 'search_engine',
};

interface KnownAgent {
  readonly name: string;
  readonly kind: AgentKind;
  readonly pattern: RegExp;
}

interface AgentTable {
  readonly agents: readonly KnownAgent[];
  /** All patterns joined: one test clears nearly every user agent, because most belong to people. */
  readonly any: RegExp;
}

const ownTable = once(() =>
  tableOf(
    Object.entries(OWN_AGENTS).flatMap(([kind, tokens]) =>
      tokens.map((token) => ({
        name: token.replace('/', ''),
        kind: kind as AgentKind,
        pattern: new RegExp(`(?<![a-z])${RegExp.escape(token)}(?![a-z])`, 'i'),
      })),
    ),
  ),
);

/** The package's types leave out the tags that its list has. */
const CRAWLERS: readonly { readonly pattern: string; readonly tags?: readonly string[] }[] =
  crawlers;

const packageTable = once(() =>
  tableOf(
    CRAWLERS.map(({ pattern, tags = [] }) => ({
      name: nameOf(pattern),
      kind: kindOf(tags),
      pattern: new RegExp(pattern),
    })),
  ),
);

/** Recently recognized agents, by user agent: a few user agents make most requests. */
const recognized = new Map<string, Omit<Agent, 'isVerified'>>();
const RECOGNIZED_MAX = 2000;

/** Names and classifies the client. Pure, apart from a bounded cache of recent user agents. */
export function recognizeAgent(signs: AgentSigns): Agent {
  const { userAgent, verifiedBot, cf } = signs;
  const management = objectIn(cf, 'botManagement');
  const isVerified = verifiedBot ?? management?.['verifiedBot'] === true;
  const found = recall((userAgent ?? '').slice(0, LOOKED_AT));
  const category = cf?.['verifiedBotCategory'];
  if (isVerified && (found.kind === 'human' || found.kind === 'unknown')) {
    const kind = VERIFIED_CATEGORIES[String(category)] ?? 'tool';
    return { name: 'verified bot', kind, isVerified };
  }
  const score = signs.botScore ?? cloudflareScore(management?.['score']);
  if (found.kind === 'human' && score !== null && score >= DOUBTFUL_SCORE)
    return { name: found.name, kind: 'unknown', isVerified: false };
  return { ...found, isVerified };
}

function recall(userAgent: string): Omit<Agent, 'isVerified'> {
  const known = recognized.get(userAgent);
  if (known !== undefined) return known;
  const found = lookUp(userAgent);
  if (recognized.size >= RECOGNIZED_MAX) recognized.delete(recognized.keys().next().value!);
  recognized.set(userAgent, found);
  return found;
}

function lookUp(userAgent: string): Omit<Agent, 'isVerified'> {
  for (const { agents, any } of [ownTable(), packageTable()]) {
    if (!any.test(userAgent)) continue;
    const { name, kind } = agents.find(({ pattern }) => pattern.test(userAgent))!;
    return { name, kind };
  }
  if (/^(?:node|ruby|java|php)$/i.test(userAgent))
    return { name: userAgent.toLowerCase(), kind: 'tool' };
  const isBrowser = /^Mozilla\/5\.0 \(.+\b(?:Chrome|Firefox|Safari|Version)\//.test(userAgent);
  return isBrowser ? { name: 'Browser', kind: 'human' } : { name: 'unknown', kind: 'unknown' };
}

function tableOf(agents: readonly KnownAgent[]): AgentTable {
  const flags = agents[0]?.pattern.flags ?? '';
  return {
    agents,
    any: new RegExp(agents.map(({ pattern }) => `(?:${pattern.source})`).join('|'), flags),
  };
}

/** `[cC]ool(Bot|Spider)\/` → `coolBot`. */
function nameOf(pattern: string): string {
  const plain = pattern
    .replace(/\([^()]*\)\?/g, '')
    .replace(/\((?:\?[:=!<]+)?([^()|]*)[^()]*\)/g, '$1')
    .replace(/\[(\w)[^\]]*\]/g, '$1')
    .replace(/\\[a-z]/g, ' ')
    .replace(/[^\w .:&!-]/g, '');
  return plain.trim() || 'crawler';
}

function kindOf(tags: readonly string[]): AgentKind {
  const isSearch = tags.includes('search-engine');
  if (tags.includes('ai-crawler')) return isSearch ? 'ai_indexer' : 'ai_training';
  return isSearch ? 'search_engine' : 'tool';
}

/** Maps Cloudflare's score, from 1 (a program) to 99 (a person), to `botScore`'s range. */
function cloudflareScore(score: unknown): number | null {
  return typeof score === 'number' && score >= 1 && score <= 99 ? (100 - score) / 100 : null;
}

function objectIn(
  value: Readonly<Record<string, unknown>> | null,
  name: string,
): Readonly<Record<string, unknown>> | null {
  const member = value?.[name];
  return typeof member === 'object' ? (member as Record<string, unknown> | null) : null;
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}
