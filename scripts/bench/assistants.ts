import { type LoadResult, runLoad } from './load.ts';

/** The question for which the bare route returns the tool listing. */
export const LISTING = 'tools/list';

/** The measurements of the assistant interface, each with its requests. */
export function assistantLoads(
  questions: readonly string[],
  apiKey: string,
): readonly { readonly name: string; readonly requests: readonly Uint8Array[] }[] {
  const call = (question: string) =>
    mcpRequest(apiKey, 'tools/call', { name: 'search_offerings', arguments: { question } });
  return [
    { name: 'vitrine mcp tools/list', requests: [mcpRequest(apiKey, LISTING, {})] },
    { name: 'vitrine mcp search_offerings', requests: questions.map(call) },
  ];
}

/** The response to `tools/list`, so that a bare route can send the same bytes. */
export async function readListing(port: number, apiKey: string): Promise<string> {
  let listing = '';
  await runLoad({
    port,
    requests: [mcpRequest(apiKey, LISTING, {})],
    connections: 1,
    seconds: null,
    onBody: (body) => {
      listing = body;
    },
  });
  return listing;
}

/** Sentences that compare the assistant interface with other routes. */
export function compareAssistants(
  perSecond: (name: string) => LoadResult['perSecond'],
  { bareListing, v3 }: { bareListing: string; v3: string },
): string[] {
  const ratio = (name: string, other: string) =>
    `${name}: ${(perSecond(name) / perSecond(other)).toFixed(2)} × ${other}.`;
  return [ratio('vitrine mcp tools/list', bareListing), ratio('vitrine mcp search_offerings', v3)];
}

function mcpRequest(apiKey: string, method: string, params: object): Uint8Array {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    `X-API-Key: ${apiKey}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
