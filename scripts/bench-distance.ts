/**
 * Measures a service with a libSQL server at several network distances: a single hit, concurrent
 * hits with and without an Idempotency-Key, `regenerate`, an import, and loading the index.
 *
 *   bun scripts/bench-distance.ts CATALOGUE [--distances 0,20,80] [--seconds 5] [--binary FILE]
 *     [--server SQLD]
 *
 * CATALOGUE is a file that `vitrine catalog import` reads. The server is the tests' stand-in in its
 * own process, or the binary SQLD of a libSQL server. Distance is simulated: each request takes that
 * many milliseconds longer.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { REFERENCE_SCALE } from '../src/models/cosine-scale.ts';
import type { Embedder } from '../src/models/embedder.ts';
import { embedNextDocuments } from '../src/operations/search/embed-next-documents.ts';
import { systemPlatform } from '../src/platform.ts';
import { type OpenServices, openServices } from '../src/services.ts';
import { hitRequests } from './bench/hit-requests.ts';
import { type LoadResult, runLoad } from './bench/load.ts';
import { Processes, runToEnd } from './bench/processes.ts';
import {
  findProgram,
  type Prepared,
  type Program,
  prepareData,
  type Service,
  startService,
} from './bench/vitrine.ts';

const CONNECTIONS = 64;
const ALONE = 40;
const REBUILDS = 3;
const DIMENSIONS = 384;

/** Vectors that cost nothing to make. Their content does not affect transfer time. */
const embedder: Embedder = {
  tag: 'bench',
  cosineScale: REFERENCE_SCALE,
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(text.length * at + 1) / 14),
    ),
  close: async () => undefined,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    distances: { type: 'string', default: '0,20,80' },
    seconds: { type: 'string', default: '5' },
    binary: { type: 'string' },
    server: { type: 'string' },
  },
});
const [catalogue] = positionals;
if (catalogue === undefined)
  throw new Error('Name a catalogue that "vitrine catalog import" reads.');
const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-distance-'));
const processes = new Processes();
try {
  console.log(`load average ${loadavg()[0]!.toFixed(1)} before the run`);
  const program = findProgram(values.binary);
  for (const distance of values.distances.split(',').map(Number)) {
    const figures = await measure(program, distance);
    console.log(`${program.label}, ${distance} ms away:`);
    for (const [name, figure] of Object.entries(figures)) console.log(`  ${name}: ${figure}`);
  }
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(program: Program, distance: number): Promise<Record<string, string>> {
  const server = await startServer(join(folder, `server-${distance}.db`));
  const data = join(folder, `data-${distance}`);
  mkdirSync(data);
  writeFileSync(join(data, 'vitrine.toml'), `database_url = "${server.url}"\nembedder = "off"\n`);
  const prepared = await prepareData(program, { data, copyOf: undefined });
  const importing = await server.count(distance, async () => {
    const args = ['catalog', 'import', catalogue!, '--progress', 'off', '--data', data];
    await runToEnd([...program.command, ...args]);
  });
  const loading = await measureLoading(data, { server, distance });
  const service = await startService(processes, program, prepared);
  const regenerating = await server.count(distance, () => regenerate(service, prepared));
  const hits = await measureHits(service, prepared);
  const idle = await server.count(distance, () => Bun.sleep(10_000));
  await processes.stop(service.process);
  await processes.stop(server.process);
  return {
    import: `${importing.seconds.toFixed(1)} s, ${importing.requests} requests`,
    'index loaded': `${loading.seconds.toFixed(1)} s, ${loading.requests} requests`,
    regenerate: `${(regenerating.seconds / REBUILDS).toFixed(2)} s, ${Math.round(regenerating.requests / REBUILDS)} requests`,
    ...hits,
    idle: `${(idle.requests * 6).toFixed(0)} requests a minute`,
  };
}

async function startServer(path: string) {
  if (values.server !== undefined) mkdirSync(path);
  const process = Bun.spawn(
    [
      globalThis.process.execPath,
      join(import.meta.dir, 'bench', 'libsql-server.ts'),
      path,
      ...(values.server === undefined ? [] : [values.server]),
    ],
    {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const lines = readLines(process.stdout);
  const url = (await lines.next()).value!;
  const setDistance = async (distance: number) => {
    process.stdin.write(`${distance}\n`);
    process.stdin.flush();
    return Number((await lines.next()).value);
  };
  return {
    process,
    url,
    /** The time and the number of requests that a task takes at a distance. */
    async count(distance: number, task: () => Promise<unknown>) {
      const before = await setDistance(distance);
      const startedMs = performance.now();
      await task();
      const seconds = (performance.now() - startedMs) / 1000;
      return { seconds, requests: (await setDistance(distance)) - before };
    },
    setDistance,
  };
}

type Server = Awaited<ReturnType<typeof startServer>>;

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

/** Time that a starting service needs to load the catalogue with its vectors into memory. */
async function measureLoading(
  data: string,
  { server, distance }: { server: Server; distance: number },
) {
  const services = await open(data, server.url);
  const { signal } = new AbortController();
  await server.setDistance(0);
  await services.embeddings.load();
  while (await embedNextDocuments(services, signal));
  await services.close();
  await server.setDistance(distance);
  const fresh = await open(data, server.url);
  await fresh.embeddings.load();
  const { key } = fresh.directory.organizations()[0]!;
  const loaded = await server.count(distance, async () => {
    fresh.indexes.find(key);
    while (await fresh.indexes.loadNext(signal));
  });
  if (fresh.indexes.find(key) === null) throw new Error('The index is not in memory.');
  await fresh.close();
  return loaded;
}

function open(data: string, url: string): Promise<OpenServices> {
  const config = readConfig({
    dataFolder: data,
    flags: {},
    environment: { DATABASE_URL: url },
    file: {},
  });
  return openServices({ config, platform: systemPlatform('error'), create: false, embedder });
}

async function regenerate({ port }: Service, { apiKey }: Prepared): Promise<void> {
  for (let rebuild = 0; rebuild < REBUILDS; rebuild += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/rest/org/ai/bench/?regenerate=true`, {
      headers: { 'x-api-key': apiKey },
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

async function measureHits(
  { port }: Service,
  { apiKey, data }: Prepared,
): Promise<Record<string, string>> {
  const slug = 'bench';
  const plain = hitRequests(slug, apiKey);
  const load = (requests: readonly Uint8Array[], connections: number, seconds: number | null) =>
    runLoad({ port, requests, status: 201, connections, seconds });
  const describe = ({ perSecond, p50Ms, p99Ms }: LoadResult) =>
    `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
  const seconds = Number(values.seconds);
  const alone = await load(plain.slice(0, ALONE), 1, null);
  const atOnce = await load(plain, CONNECTIONS, seconds);
  const keyed = await load(keyedRequests(plain, data), CONNECTIONS, null);
  return {
    'a hit alone': `${alone.p50Ms.toFixed(1)} ms`,
    [`hits, ${CONNECTIONS} at once`]: describe(atOnce),
    [`hits with a key each, ${CONNECTIONS} at once`]: describe(keyed),
  };
}

/** Each request once, with its own Idempotency-Key. */
function keyedRequests(requests: readonly Uint8Array[], seed: string): Uint8Array[] {
  return Array.from({ length: 4000 }, (_, index) => {
    const text = Buffer.from(requests[index % requests.length]!).toString();
    return Buffer.from(
      text.replace('\r\n\r\n', `\r\nIdempotency-Key: ${Bun.hash(seed)}-${index}\r\n\r\n`),
    );
  });
}
