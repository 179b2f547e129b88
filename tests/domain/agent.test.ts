import { describe, expect, test } from 'bun:test';
import crawlers from 'crawler-user-agents';
import { AGENT_KINDS, recognizeAgent } from '../../src/domain/agent.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const signs = { userAgent: CHROME, botScore: null, verifiedBot: null, cf: null };

const bot = (name: string) =>
  `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name}/1.2)`;

test.each([
  [CHROME, 'Browser', 'human'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
    'Browser',
    'human',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Browser', 'human'],
  [bot('ChatGPT-User'), 'ChatGPT-User', 'ai_retrieval'],
  [bot('OAI-SearchBot'), 'OAI-SearchBot', 'ai_indexer'],
  [bot('GPTBot'), 'GPTBot', 'ai_training'],
  [bot('ClaudeBot'), 'ClaudeBot', 'ai_training'],
  [bot('Claude-User'), 'Claude-User', 'ai_retrieval'],
  [bot('Claude-SearchBot'), 'Claude-SearchBot', 'ai_indexer'],
  [bot('PerplexityBot'), 'PerplexityBot', 'ai_indexer'],
  [bot('Perplexity-User'), 'Perplexity-User', 'ai_retrieval'],
  [bot('Google-Extended'), 'Google-Extended', 'ai_training'],
  ['GoogleOther', 'GoogleOther', 'ai_training'],
  [bot('Gemini-Deep-Research'), 'Gemini-Deep-Research', 'ai_retrieval'],
  [bot('bingbot'), 'bingbot', 'search_engine'],
  [bot('Applebot'), 'Applebot', 'search_engine'],
  [bot('Applebot-Extended'), 'Applebot-Extended', 'ai_training'],
  [
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'Meta-ExternalAgent',
    'ai_training',
  ],
  ['meta-externalfetcher/1.1', 'Meta-ExternalFetcher', 'ai_retrieval'],
  [bot('Amazonbot'), 'Amazonbot', 'ai_training'],
  [bot('Bytespider'), 'Bytespider', 'ai_training'],
  [bot('DuckAssistBot'), 'DuckAssistBot', 'ai_retrieval'],
  [bot('MistralAI-User'), 'MistralAI-User', 'ai_retrieval'],
  ['cohere-ai', 'cohere-ai', 'ai_retrieval'],
  ['CCBot/2.0 (https://commoncrawl.org/faq/)', 'CCBot', 'ai_training'],
  ['openai-mcp/1.0.0', 'openai-mcp', 'ai_retrieval'],
  ['mcp-remote/0.1.5', 'mcp-remote', 'tool'],
  ['curl/8.14.1', 'curl', 'tool'],
  ['python-requests/2.32.5', 'python-requests', 'tool'],
  ['node', 'node', 'tool'],
  ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'AhrefsBot', 'tool'],
  ['', 'unknown', 'unknown'],
  ['something of our own', 'unknown', 'unknown'],
])('%s is %s, of the kind %s', (userAgent, name, kind) => {
  expect(recognizeAgent({ ...signs, userAgent })).toEqual({
    name,
    kind,
    isVerified: false,
  } as never);
});

describe('metadata of the edge network', () => {
  const claimed = bot('Googlebot');
  test.each([
    [
      'a claim that it vouches for',
      { userAgent: claimed, verifiedBot: true },
      'search_engine',
      true,
    ],
    [
      'a claim that it does not',
      { userAgent: claimed, verifiedBot: false },
      'search_engine',
      false,
    ],
    [
      'a claim that cf vouches for',
      { userAgent: claimed, cf: { botManagement: { verifiedBot: true } } },
      'search_engine',
      true,
    ],
    [
      'a verified bot with a browser’s user agent',
      { verifiedBot: true, cf: { verifiedBotCategory: 'AI Assistant' } },
      'ai_retrieval',
      true,
    ],
    ['a verified bot of another category', { verifiedBot: true, userAgent: '' }, 'tool', true],
    ['a browser that scores like a program', { botScore: 0.7 }, 'unknown', false],
    ['a browser just below that', { botScore: 0.69 }, 'human', false],
    [
      'a browser with a low Cloudflare score',
      { cf: { botManagement: { score: 2 } } },
      'unknown',
      false,
    ],
  ])('%s', (_, said, kind, isVerified) => {
    expect(recognizeAgent({ ...signs, ...said })).toMatchObject({ kind, isVerified } as never);
  });
});

test('no crawler in the package’s list counts as a person', () => {
  const instances = crawlers.flatMap((crawler) => crawler.instances.slice(0, 1));
  const people = instances.filter(
    (userAgent) => recognizeAgent({ ...signs, userAgent }).kind === 'human',
  );
  expect(people).toEqual([]);
  expect(instances.length).toBeGreaterThan(1000);
});

test('names come from the tables and never from the caller, however many user agents there are', () => {
  const names = new Set<string>();
  for (let index = 0; index < 5000; index++) {
    const { name, kind } = recognizeAgent({
      ...signs,
      userAgent: `Bot${index} (+http://x.example/${index})`,
    });
    names.add(name);
    expect(AGENT_KINDS).toContain(kind);
  }
  expect(names.size).toBeLessThan(5);
});
