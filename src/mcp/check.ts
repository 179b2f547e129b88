import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isObject } from './messages.ts';

/** The result of one check, with advice if it failed. */
export interface CheckedStep {
  readonly name: string;
  readonly ok: boolean;
  /** What the check found. */
  readonly detail: string;
  /** How to fix the failure; null if the check passed. */
  readonly hint: string | null;
}

export interface CheckOptions {
  /** URL of the MCP endpoint, `…/mcp`. */
  readonly url: URL;
  /** Null: as an assistant without one. */
  readonly apiKey: string | null;
  readonly signal: AbortSignal;
}

interface Step {
  readonly name: string;
  readonly hint: string;
  /** Resolves with what it found. Throws if the check fails. */
  run(): Promise<string>;
}

const CLIENT_INFO = { name: 'vitrine-check', version: '1.0.0' };

/**
 * Checks everything that an assistant does, with the SDK's own client. Continues after a failure.
 */
export async function* checkServer(options: CheckOptions): AsyncGenerator<CheckedStep> {
  const client = new Client(CLIENT_INFO);
  for (const { name, hint, run } of stepsOf(client, options)) {
    const outcome = await tryStep(run, options.signal);
    yield { name, ...outcome, hint: outcome.ok ? null : hint };
    if (!outcome.ok && name === 'initialize') break;
  }
  await client.close();
}

async function tryStep(
  run: () => Promise<string>,
  signal: AbortSignal,
): Promise<{ ok: boolean; detail: string }> {
  try {
    return { ok: true, detail: await run() };
  } catch (error) {
    const late = signal.aborted ? ' (no answer in time)' : '';
    return { ok: false, detail: (error instanceof Error ? error.message : String(error)) + late };
  }
}

/** The checks, in order. */
function stepsOf(client: Client, options: CheckOptions): readonly Step[] {
  return [...beginning(client, options), ...tools(client, options), ...transport(options)];
}

const OTHER_PROGRAM = 'Another program answers at this address.';

function beginning(client: Client, { url, apiKey, signal }: CheckOptions): Step[] {
  const requestInit = { headers: headersOf(apiKey) };
  return [
    {
      name: 'initialize',
      hint: 'Check that the service runs at this address and that the key is valid: vitrine key list',
      async run() {
        const http = new StreamableHTTPClientTransport(url, { requestInit });
        await client.connect(asTransport(http), { signal });
        return `${client.getServerVersion()?.name} ${client.getServerVersion()?.version}`;
      },
    },
    {
      name: 'tools/list',
      hint: OTHER_PROGRAM,
      async run() {
        const listed = await client.listTools(undefined, { signal });
        return listed.tools.map(({ name }) => name).join(', ');
      },
    },
    {
      name: 'resources/list',
      hint: OTHER_PROGRAM,
      async run() {
        const { resources } = await client.listResources(undefined, { signal });
        return `${resources.length} to read`;
      },
    },
  ];
}

function tools(client: Client, { signal }: CheckOptions): Step[] {
  const call = (name: string, args: Record<string, string> = {}) =>
    client.callTool({ name, arguments: args }, undefined, { signal });
  let offeringId = '';
  const ofOffering = (name: string, argument: string): Step => ({
    name,
    hint: 'Import a catalogue with links: vitrine catalog import; vitrine shop set --domain.',
    async run() {
      if (offeringId === '') throw new Error('There is no offering to check with.');
      return firstLine((await call(name, { [argument]: offeringId })).content);
    },
  });
  return [
    {
      name: 'list_all_offerings',
      hint: 'Import a catalogue: vitrine catalog import FILE',
      async run() {
        const { content, structuredContent } = await call('list_all_offerings');
        offeringId = firstId(structuredContent);
        if (offeringId === '') throw new Error('The catalogue contains no available offering.');
        return firstLine(content);
      },
    },
    {
      name: 'search_offerings',
      hint: 'See the service’s log.',
      run: async () =>
        firstLine((await call('search_offerings', { question: 'anything' })).content),
    },
    ofOffering('get_product_link', 'product_id'),
    ofOffering('get_booking_link', 'offering_id'),
    ofOffering('single_product_express_checkout', 'product_id'),
  ];
}

function transport(options: CheckOptions): Step[] {
  const { url } = options;
  return [
    {
      name: 'stream',
      hint: 'A proxy may be buffering events: turn buffering off for this path.',
      run: () => firstEvent(url, { ...options, headers: { 'MCP-Protocol-Version': '2025-03-26' } }),
    },
    {
      name: 'older transport (HTTP+SSE)',
      hint: 'A proxy may be buffering events, or may not forward /mcp/messages.',
      run: () => overEvents(options),
    },
    {
      name: 'a wrong key is refused',
      hint: 'A proxy in front of the service may add its own key.',
      async run() {
        const { status } = await post(url, { ...options, apiKey: 'wrong' }, PING);
        if (status !== 401) throw new Error(`The response was ${status}, not 401.`);
        return '401';
      },
    },
    {
      name: 'an unknown tool is refused',
      hint: OTHER_PROGRAM,
      async run() {
        const message = { ...PING, method: 'tools/call', params: { name: 'no_such_tool' } };
        const answer: unknown = await (await post(url, options, message)).json();
        const error = isObject(answer) ? answer['error'] : null;
        if (!isObject(error) || error['code'] !== -32602)
          throw new Error('The response was not the error -32602.');
        return '-32602';
      },
    },
  ];
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

function headersOf(apiKey: string | null): Record<string, string> {
  return apiKey === null ? {} : { 'X-API-Key': apiKey };
}

function post(url: URL, { apiKey, signal }: CheckOptions, message: object): Promise<Response> {
  const headers = { ...headersOf(apiKey), 'Content-Type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message), signal });
}

/** Opens a stream and waits for its first bytes. */
async function firstEvent(
  url: URL,
  { apiKey, signal, headers }: CheckOptions & { headers: Record<string, string> },
): Promise<string> {
  const response = await fetch(url, { headers: { ...headersOf(apiKey), ...headers }, signal });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  if (!response.ok || value === undefined) throw new Error(`The response was ${response.status}.`);
  return 'the first bytes arrived at once';
}

/** A whole conversation over the transport of revision 2024-11-05. */
async function overEvents({ url, apiKey, signal }: CheckOptions): Promise<string> {
  const headers = headersOf(apiKey);
  const client = new Client(CLIENT_INFO);
  const transport = new SSEClientTransport(url, {
    requestInit: { headers },
    eventSourceInit: {
      fetch: (address, init) =>
        fetch(address, { ...init, signal, headers: { ...init.headers, ...headers } }),
    },
  });
  await client.connect(asTransport(transport), { signal });
  const { tools } = await client.listTools(undefined, { signal });
  await client.close();
  return `${tools.length} tools`;
}

/** The SDK's transports do not match its own interface under `exactOptionalPropertyTypes`. */
function asTransport(transport: object): Transport {
  return transport as Transport;
}

function firstLine(content: unknown): string {
  const [first] = Array.isArray(content) ? content : [];
  return isObject(first) ? String(first['text']).split('\n', 1)[0]! : 'a result without text';
}

function firstId(structured: unknown): string {
  const results = isObject(structured) ? structured['results'] : [];
  const [first] = Array.isArray(results) ? results : [];
  return isObject(first) ? String(first['id']) : '';
}
