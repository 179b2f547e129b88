/**
 * Prints the cost of the assistant interface to a model: bytes and estimated tokens of the tool
 * listing, the instructions and typical results, with the sample catalogue.
 *
 *   bun scripts/mcp-cost.ts
 *
 * Four bytes are about one token of English and JSON. Text and structured content are counted
 * separately, because hosts pass one or the other to the model.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleFiles } from '../src/assets/sample-files.ts';
import { Processes, runToEnd } from './bench/processes.ts';
import { findProgram, prepareData, startService } from './bench/vitrine.ts';

const BYTES_PER_TOKEN = 4;

const CALLS: readonly (readonly [string, object])[] = [
  ['search_offerings', { question: 'something cosy for a friend who loves coffee' }],
  ['search_offerings', { question: 'how do I return something?' }],
  ['list_all_offerings', {}],
];

const folder = mkdtempSync(join(tmpdir(), 'vitrine-cost-'));
const processes = new Processes();
try {
  const program = findProgram(undefined);
  const prepared = await prepareData(program, { data: join(folder, 'data'), copyOf: undefined });
  const file = join(folder, 'catalogue.jsonl');
  const { offerings } = sampleFiles();
  await Bun.write(file, offerings.replaceAll('"pictures/', '"https://shop.example/pictures/'));
  await runToEnd([...program.command, 'catalog', 'import', file, '--data', prepared.data]);
  const { port } = await startService(processes, program, prepared);
  const ask = async (method: string, params: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { 'X-API-Key': prepared.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { result: Answer }).result;
  };
  print('tools/list', JSON.stringify(await ask('tools/list', {})));
  print('instructions', (await ask('initialize', {})).instructions ?? '');
  for (const [name, args] of CALLS) {
    const { content = [], structuredContent } = await ask('tools/call', { name, arguments: args });
    const asked = `${name} ${Object.values(args).join(' ')}`.trim();
    print(`${asked}: text`, content.map(({ text }) => text).join('\n'));
    print(`${asked}: structured`, JSON.stringify(structuredContent));
  }
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

interface Answer {
  readonly instructions?: string;
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
}

function print(what: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  console.log(
    `${what.padEnd(78)} ${String(bytes).padStart(6)} bytes  ${String(tokens).padStart(5)} tokens`,
  );
}
