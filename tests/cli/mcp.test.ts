import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { TOOLS } from '../../src/mcp/tools/tools.ts';
import type { AssistantSetup } from '../../src/operations/assistants/assistant-setup.ts';
import type { HitReport } from '../../src/operations/hits/report-hits.ts';
import type { OrganizationView } from '../../src/operations/tenants/organizations.ts';
import { CATALOG, jsonLines } from '../support/catalog.ts';
import { vitrine, vitrineJson } from '../support/command-line.ts';
import { PROGRAM_COMMAND, type Serving, serve, start } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMMAND = PROGRAM_COMMAND;

const temporary = temporaryFolder();
const data = ['--data', join(temporary.path, 'data')];
let apiKey = '';

beforeAll(async () => {
  const made = await vitrineJson<{ apiKey: string }>(
    'init',
    '--org',
    'Acme',
    '--currency',
    'EUR',
    ...data,
  );
  apiKey = made.apiKey;
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, jsonLines(CATALOG));
  await vitrineJson('catalog', 'import', file, ...data);
});
afterAll(temporary.remove);

async function connectStdio(): Promise<Client> {
  const [command, ...args] = COMMAND;
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: command!,
      args: [...args, 'mcp', 'stdio', ...data],
      env: { VITRINE_EMBEDDER: 'off' },
      stderr: 'inherit',
    }),
  );
  return client;
}

async function conversation(client: Client): Promise<void> {
  await client.ping();
  expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
  const answer = await client.callTool({
    name: 'get_product_link',
    arguments: { product_id: 'lighthouse-lamp' },
  });
  expect(answer.structuredContent).toMatchObject({
    url: 'https://shop.example/products/lighthouse-lamp',
  });
}

test('init asks on a terminal whether customers’ assistants may come without a key; no is the default', async () => {
  for (const [answer, isOn] of [
    ['y\n', true],
    ['\n', false],
  ] as const) {
    const folder = ['--data', join(temporary.path, `asked-${isOn}`)];
    const made = await vitrine(['init', '--org', 'Asked', ...folder], {
      canAsk: true,
      input: answer,
    });
    expect(made.stderr).toContain('Answer customers’ assistants without a key?');
    expect(made.stdout).toContain(`Public assistants are ${isOn ? 'on' : 'off'}`);
    const [organization] = await vitrineJson<OrganizationView[]>('org', 'list', ...folder);
    expect(organization!.publicAssistants).toEqual({
      isOn,
      rateLimit: { perMinute: 600, burst: 100 },
    });
  }
});

test('init keeps a public address, with which an assistant without a key can be connected at once', async () => {
  const folder = ['--data', join(temporary.path, 'addressed')];
  const made = ['init', '--org', 'Shop', '--public-assistants', 'on', ...folder];
  const { stdout } = await vitrine([...made, '--public-url', 'https://assist.shop.example/']);
  expect(stdout).toEndWith(
    'Next:\n  vitrine catalog import FILE\n  vitrine serve\n  vitrine mcp config chatgpt\n',
  );
  const config = await vitrine(['mcp', 'config', 'chatgpt', ...folder]);
  expect(config.stdout).toContain('https://assist.shop.example/mcp/org/');
  // Settings may hold keys of models.
  expect(statSync(join(temporary.path, 'addressed', 'vitrine.toml')).mode & 0o077).toBe(0);
});

test('init refuses a public address beside one that the settings name already', async () => {
  const folder = join(temporary.path, 'settled');
  mkdirSync(folder);
  writeFileSync(join(folder, 'vitrine.toml'), 'public_url = "https://assist.shop.example"\n');
  const made = ['init', '--org', 'Shop', '--public-assistants', 'on', '--data', folder];
  const refused = await vitrine([...made, '--public-url', 'https://other.shop.example']);
  expect([refused.exitCode, refused.stderr]).toEqual([
    73,
    expect.stringContaining('change it there'),
  ]);
});

test('mcp config prints the address without a key for each host that can use it, unless a key is given', async () => {
  const folder = ['--data', join(temporary.path, 'open')];
  const { organization } = await vitrineJson<{ organization: OrganizationView }>(
    ...['init', '--org', 'Open', '--public-assistants', 'on', ...folder],
  );
  const address = `https://open.example/mcp/org/${organization.id}/`;
  const config = async (host: string, ...flags: string[]) => {
    const usual = ['--public-url', 'https://open.example', ...folder];
    return (await vitrine(['mcp', 'config', host, ...usual, ...flags])).stdout;
  };
  for (const host of ['claude-code', 'cursor', 'vscode', 'chatgpt']) {
    const open = await config(host);
    expect([host, open.includes(address)]).toEqual([host, true]);
    expect(open).not.toMatch(/key|token/i);
    const isKeyed = (await config(host, '--api-key', 'vk_x')).includes('vk_x');
    expect([host, isKeyed]).toEqual([host, host !== 'chatgpt']);
  }
  await vitrineJson('org', 'set', '--public-assistants', 'off', ...folder);
  expect(await config('chatgpt')).toMatch(/\/mcp\nAuthentication: +OAuth\n/);
  writeFileSync(join(temporary.path, 'open', 'vitrine.toml'), 'oauth = "off"\n');
  expect(await config('cursor')).toContain('X-API-Key');
  expect(await config('chatgpt')).toContain('vitrine org set --public-assistants on');
});

describe('mcp stdio', () => {
  test('works without a service, and acts as one for other commands meanwhile', async () => {
    const client = await connectStdio();
    await conversation(client);
    expect(await vitrineJson('catalog', 'stats', ...data)).toMatchObject({ offerings: 63 });
    const second = await connectStdio();
    await conversation(second);
    await second.close();
    await client.close();
  }, 60_000);

  test('answers what it can read and what it cannot, nothing else, and ends with its input', async () => {
    const input = async function* () {
      yield Buffer.from('{"jsonrpc":"2.0","id":1,"meth');
      yield Buffer.from(
        'od":"ping"}\n\nnot json\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
      );
      yield Buffer.from('[{"jsonrpc":"2.0","id":"b","method":"ping"}]');
    };
    const { stdout, exitCode } = await vitrine(['mcp', 'stdio', ...data], {
      input: input(),
      environment: { VITRINE_EMBEDDER: 'off' },
    });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(exitCode).toBe(0);
    expect(lines).toHaveLength(3);
    expect(lines).toContainEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(lines).toContainEqual([{ jsonrpc: '2.0', id: 'b', result: {} }]);
    expect(lines).toContainEqual(
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
    );
  });
});

describe('beside a running service', () => {
  let serving: Serving;
  beforeAll(async () => {
    serving = await serve(COMMAND, [...data, '--embedder', 'off']);
  });
  afterAll(async () => void (await serving.stop()));

  test('mcp stdio talks through it', async () => {
    const client = await connectStdio();
    await conversation(client);
    await client.close();
  }, 60_000);

  /** Searches once and returns the number of hits as soon as that search is among them. */
  const hitsAfterSearch = async (question: string) => {
    const address = `${serving.url}/rest/search/v3/?q=${question}`;
    await fetch(address, { headers: { 'x-api-key': apiKey } });
    for (;;) {
      const { questions, hits } = await vitrineJson<HitReport>('hits', 'report', ...data);
      if (questions.some((row) => row.question === question)) return hits;
      await Bun.sleep(20);
    }
  };

  test('mcp check checks everything, with one line per check, and leaves nothing in the reports', async () => {
    const before = await hitsAfterSearch('first');
    await vitrineJson('org', 'set', '--public-assistants', 'on', ...data);
    expect((await vitrine(['mcp', 'check', serving.url])).exitCode).toBe(0);
    await vitrineJson('org', 'set', '--public-assistants', 'off', ...data);
    for (const address of [serving.url, `${serving.url}/mcp`, `${serving.url}/mcp/org/acme/`]) {
      const { stdout, exitCode } = await vitrine(['mcp', 'check', address, '--api-key', apiKey]);
      expect([address, exitCode]).toEqual([address, 0]);
      const lines = stdout.trim().split('\n');
      expect(lines).toHaveLength(14);
      expect(lines.every((line) => line.startsWith('ok '))).toBe(true);
    }
    // Hits are recorded in order.
    expect(await hitsAfterSearch('last')).toBe(before + 1);
  }, 60_000);

  test('mcp check without a key says how to let customers’ assistants in', async () => {
    const { stdout, exitCode } = await vitrine(['mcp', 'check', serving.url]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^fail {2}way in: .*401.*\n.*org set --public-assistants on\n$/);
  });

  test('mcp check says that nothing answers at an address, and what to do', async () => {
    const { stdout, exitCode } = await vitrine(['mcp', 'check', 'http://127.0.0.1:1']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^fail {2}way in: Nothing answers at http:\/\/127\.0\.0\.1:1\.\n +Check the address/,
    );
  });

  test('mcp check says what to do about a wrong key, and fails', async () => {
    const { stdout, exitCode } = await vitrine(['mcp', 'check', serving.url, '--api-key', 'wrong']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^fail {2}way in: The service refuses this key\.\n +List the keys: vitrine key list\./,
    );
  });

  test('SIGTERM with open streams ends them and the service', async () => {
    const other = start(COMMAND, [
      'serve',
      '--listen',
      '127.0.0.1:0',
      '--embedder',
      'off',
      '--data',
      join(temporary.path, 'other'),
      '--bootstrap-org',
      'Other',
    ]);
    const url = await new Promise<string>((resolve) => {
      other.process.stderr!.on('data', () => {
        const found = /listening on (http:\/\/\S+)/.exec(other.stderr())?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    const made = await vitrineJson<{ apiKey: string }>(
      'key',
      'create',
      '--data',
      join(temporary.path, 'other'),
    );
    const stream = await fetch(`${url}/mcp`, { headers: { 'x-api-key': made.apiKey } });
    const exited = once(other.process, 'close');
    const startedMs = performance.now();
    other.process.kill('SIGTERM');
    expect(await stream.text()).toContain('event: endpoint');
    expect((await exited)[0]).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  }, 60_000);
});

describe('mcp config', () => {
  const pasted = async (...args: string[]) => {
    const { steps } = await vitrineJson<AssistantSetup>('mcp', 'config', ...args);
    return steps.map(({ paste }) => paste);
  };

  test('inserts a key that is given, from a file too, and never one that is in the environment', async () => {
    const keyFile = join(temporary.path, 'key.txt');
    writeFileSync(keyFile, 'vk_key\n');
    const config = ['mcp', 'config', 'cursor', ...data];
    for (const [flags, isKeyed] of [
      [['--api-key', 'vk_key'], true],
      [['--api-key-file', keyFile], true],
      [[], false],
    ] as const) {
      const environment = { VITRINE_API_KEY: 'vk_key' };
      const { stdout } = await vitrine([...config, ...flags], { environment });
      expect([flags, stdout.includes('vk_key')]).toEqual([flags, isKeyed]);
    }
  });

  test('Claude Desktop starts this program by its absolute path, or reaches a service elsewhere', async () => {
    const [local, ...others] = await pasted('claude-desktop', ...data);
    expect(JSON.parse(local!)).toEqual({
      mcpServers: {
        vitrine: {
          command: '/usr/local/bin/vitrine',
          args: ['mcp', 'stdio', '--data', join(temporary.path, 'data')],
        },
      },
    });
    expect(others).toEqual([]);
    const elsewhere = ['--public-url', 'https://catalogue.shop.example/'];
    const nowhere = ['--data', join(temporary.path, 'nothing-here')];
    const [remote, ...more] = await pasted('claude-desktop', ...elsewhere, ...nowhere);
    expect(remote).toContain('https://catalogue.shop.example/mcp');
    expect(more).toEqual([]);
  });

  test('prints nothing to paste for an assistant that cannot get in, and exits with 1', async () => {
    const { stdout, exitCode } = await vitrine(['mcp', 'config', 'chatgpt', ...data]);
    expect(exitCode).toBe(1);
    const settings = join(temporary.path, 'data', 'vitrine.toml');
    expect(stdout).toEndWith(`\necho 'public_url = "https://YOUR-ADDRESS"' >> ${settings}\n`);
    expect(stdout).not.toContain('127.0.0.1');
  });

  test('exit code 64 for an unknown assistant', async () => {
    expect((await vitrine(['mcp', 'config', 'eliza'])).exitCode).toBe(64);
  });
});
