import { extractResourceMetadataUrl } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CHECK_AGENT } from '../domain/agent.ts';
import { signInSteps } from './check-sign-in.ts';
import { type Step, StepFault } from './check-step.ts';
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
  /** Null: as an assistant without one, which signs in if the service offers that. */
  readonly apiKey: string | null;
  readonly signal: AbortSignal;
}

const CLIENT_INFO = { name: CHECK_AGENT, version: '1.0.0' };

const OTHER_PROGRAM = 'Another program answers at this address.';
const NOT_THERE =
  'Check the address, and start the service: vitrine serve. On its own machine, vitrine ready says whether it runs.';
const WRONG_KEY =
  'List the keys: vitrine key list. Make a new one: vitrine key create --scopes mcp';
const NO_KEY = 'Give one with --api-key-file, or run vitrine org set --public-assistants on';

/** Steps without which the others would only repeat the failure. */
const DECISIVE = ['way in', 'initialize', 'protected resource metadata'];

/**
 * Checks everything that an assistant needs for its way in, with the SDK's own client. Continues after a
 * failure. Leaves nothing in the owner's reports.
 */
export async function* checkServer(options: CheckOptions): AsyncGenerator<CheckedStep> {
  const client = new Client(CLIENT_INFO);
  // Finding the way in adds the steps that it needs.
  const steps: Step[] = [wayIn(options, (found) => steps.push(...stepsOf(client, options, found)))];
  for (const { name, hint, run } of steps) {
    const checked = await tryStep({ name, hint, run }, options.signal);
    yield checked;
    if (!checked.ok && DECISIVE.includes(name)) break;
  }
  await client.close();
}

/** How the service lets this caller in; `metadataUrl` where people sign in. */
type WayIn =
  | { readonly kind: 'key' | 'public' }
  | { readonly kind: 'sign-in'; readonly metadataUrl: URL };

/** Finds the way in, and reports it to `onFound`. */
function wayIn(options: CheckOptions, onFound: (way: WayIn) => void): Step {
  const { url, apiKey } = options;
  return {
    name: 'way in',
    hint: OTHER_PROGRAM,
    async run() {
      const answer = await post(url, options, PING).catch(() => {
        throw new StepFault(`Nothing answers at ${url.origin}.`, NOT_THERE);
      });
      if (apiKey !== null) {
        if (answer.status === 401) throw new StepFault('The service refuses this key.', WRONG_KEY);
        if (answer.status === 403) throw new StepFault('The key lacks the scope mcp.', WRONG_KEY);
        if (!answer.ok) throw new Error(`The response was ${answer.status}.`);
        onFound({ kind: 'key' });
        return 'with a key';
      }
      const metadataUrl = extractResourceMetadataUrl(answer);
      if (answer.status === 401 && metadataUrl !== undefined) {
        onFound({ kind: 'sign-in', metadataUrl });
        return 'a person signs the assistant in';
      }
      if (answer.status === 401)
        throw new StepFault('The service lets nobody in without a key (401).', NO_KEY);
      if (!answer.ok) throw new Error(`The response was ${answer.status}.`);
      onFound({ kind: 'public' });
      return 'without a key';
    },
  };
}

async function tryStep({ name, hint, run }: Step, signal: AbortSignal): Promise<CheckedStep> {
  try {
    return { name, ok: true, detail: await run(), hint: null };
  } catch (error) {
    const late = signal.aborted ? ' (no answer in time)' : '';
    const detail = (error instanceof Error ? error.message : String(error)) + late;
    return { name, ok: false, detail, hint: error instanceof StepFault ? error.hint : hint };
  }
}

/** The checks, in order. */
function stepsOf(client: Client, options: CheckOptions, way: WayIn): readonly Step[] {
  if (way.kind === 'sign-in') {
    const fetch = (url: string | URL, init: RequestInit = {}) => checkFetch(url, init, options);
    return [...signInSteps({ ...options, ...way, fetch }), wrongKeyRefused(options)];
  }
  return [
    ...beginning(client, options),
    ...tools(client, options),
    ...transport(options),
    ...(way.kind === 'public' ? [signInNotOffered(options)] : []),
  ];
}

function beginning(client: Client, { url, apiKey, signal }: CheckOptions): Step[] {
  const requestInit = { headers: headersOf(apiKey) };
  let page = '';
  return [
    {
      name: 'initialize',
      hint: OTHER_PROGRAM,
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
        page = resources.find(({ uri }) => uri.startsWith('landing:'))?.uri ?? '';
        return `${resources.length} to read`;
      },
    },
    {
      name: 'resources/read',
      hint: 'See the service’s log.',
      async run() {
        const { contents } = await client.readResource({ uri: page }, { signal });
        return firstLine(contents);
      },
    },
  ];
}

function tools(client: Client, { signal }: CheckOptions): Step[] {
  const call = (name: string, args: Record<string, string> = {}) =>
    client.callTool({ name, arguments: args }, undefined, { signal });
  let offeringId = '';
  let offeringName = 'anything';
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
        offeringId = ofFirst(structuredContent, 'id');
        offeringName = ofFirst(structuredContent, 'name') || offeringName;
        if (offeringId === '') throw new Error('The catalogue contains no available offering.');
        return firstLine(content);
      },
    },
    {
      name: 'search_offerings',
      hint: 'See the service’s log.',
      run: async () =>
        firstLine((await call('search_offerings', { question: offeringName })).content),
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
    wrongKeyRefused(options),
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

function wrongKeyRefused(options: CheckOptions): Step {
  return {
    name: 'a wrong key is refused',
    hint: 'A proxy in front of the service may add its own key.',
    async run() {
      const { status } = await post(options.url, { ...options, apiKey: 'wrong' }, PING);
      if (status !== 401) throw new Error(`The response was ${status}, not 401.`);
      return '401';
    },
  };
}

/** Assistants look for this document first, and ask people to sign in if there is one. */
function signInNotOffered(options: CheckOptions): Step {
  return {
    name: 'no sign-in is asked for',
    hint: 'Assistants would ask people to sign in: a proxy may answer /.well-known/ itself.',
    async run() {
      const { origin, pathname } = options.url;
      const address = `${origin}/.well-known/oauth-protected-resource${pathname}`;
      const { status } = await checkFetch(address, {}, options);
      if (status !== 404) throw new Error(`The response of ${address} was ${status}, not 404.`);
      return '404';
    },
  };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

function headersOf(apiKey: string | null): Record<string, string> {
  return { 'User-Agent': CHECK_AGENT, ...(apiKey === null ? {} : { 'X-API-Key': apiKey }) };
}

function post(url: URL, options: CheckOptions, message: object): Promise<Response> {
  const headers = { ...headersOf(options.apiKey), 'Content-Type': 'application/json' };
  return checkFetch(url, { method: 'POST', headers, body: JSON.stringify(message) }, options);
}

function checkFetch(
  url: string | URL,
  init: RequestInit,
  { signal }: CheckOptions,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('User-Agent', CHECK_AGENT);
  return fetch(url, { ...init, signal, headers });
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

function ofFirst(structured: unknown, member: 'id' | 'name'): string {
  const results = isObject(structured) ? structured['results'] : [];
  const [first] = Array.isArray(results) ? results : [];
  return isObject(first) ? String(first[member]) : '';
}
