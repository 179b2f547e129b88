/**
 * Measures the landing page: how long a rebuild takes, how long it blocks the event loop, and how a
 * cached page compares with a bare route that serves the same bytes.
 *
 *   bun scripts/bench-landing.ts [--offerings 100000] [--rounds 7] [--seconds 2] [--binary FILE]
 *
 * The generated catalogue is always the same. The two servers are loaded alternately, and the ratio is
 * the median of the rounds, so that other load on the machine affects both.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CatalogRow } from '../src/catalog/record/reader.ts';
import { readConfig } from '../src/config.ts';
import type { Offering } from '../src/domain/catalog.ts';
import { SILENT } from '../src/operations/define-operation.ts';
import { importCatalog } from '../src/operations/imports/import-catalog.ts';
import { regenerateLandingPage } from '../src/operations/landing/operate-landing-pages.ts';
import { runOperation } from '../src/operations/run-operation.ts';
import { setOrganization } from '../src/operations/tenants/organizations.ts';
import { systemPlatform } from '../src/platform.ts';
import { type OpenServices, openServices } from '../src/services.ts';
import { watchEventLoop } from './bench/event-loop.ts';
import { runLoad } from './bench/load.ts';
import { Processes } from './bench/processes.ts';
import { findProgram, prepareData, startService } from './bench/vitrine.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const REBUILDS = 7;
const CATEGORIES = 400;
const VENDORS = 150;
const WORDS = 'stoneware linen oak brass wool copper paper glass slate cork'.split(' ');

const { values } = parseArgs({
  options: {
    offerings: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    binary: { type: 'string' },
  },
});
const count = Number(values.offerings);
const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-landing-'));
const processes = new Processes();
try {
  await run();
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  console.log(`load average ${loadavg()[0]!.toFixed(1)} before the run`);
  const program = findProgram(values.binary);
  const prepared = await prepareData(program, { data: join(folder, 'data'), copyOf: undefined });
  // Nothing else runs: no embedding, and no loading of the search index.
  const settings = join(prepared.data, 'vitrine.toml');
  writeFileSync(settings, 'embedder = "off"\nindex_memory_mb = 0\n');
  const page = await measureRebuilds(prepared.data);
  writeFileSync(join(folder, 'page.md'), page);
  const service = await startService(processes, program, prepared);
  const bare = processes.start(
    [process.execPath, join(import.meta.dir, 'bench', 'bare-page.ts'), join(folder, 'page.md')],
    { log: join(folder, 'bare.log') },
  );
  const { value } = await bare.stdout.getReader().read();
  const barePort = Number(new TextDecoder().decode(value));
  const request = (path: string) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${prepared.apiKey}\r\n\r\n`);
  const load = async (port: number, path: string, seconds: number) =>
    (await runLoad({ port, requests: [request(path)], connections: CONNECTIONS, seconds }))
      .perSecond;
  const loads = {
    bare: (seconds: number) => load(barePort, '/page', seconds),
    page: (seconds: number) => load(service.port, '/rest/org/ai/bench/', seconds),
  };
  await loads.bare(WARM_UP_SECONDS);
  await loads.page(WARM_UP_SECONDS);
  const rounds: { bare: number; page: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const seconds = Number(values.seconds);
    rounds.push({ bare: await loads.bare(seconds), page: await loads.page(seconds) });
  }
  const ratios = rounds.map((round) => round.page / round.bare);
  const perSecond = (which: 'bare' | 'page') => median(rounds.map((round) => round[which]));
  console.log(
    `${Buffer.byteLength(page)} bytes over ${CONNECTIONS} connections, ${program.label}: ${perSecond('page').toFixed(0)} pages/s with key and limit, ${perSecond('bare').toFixed(0)}/s from a bare route: ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
  );
}

/** Rebuilds in this process, so that it can observe the event loop. Returns the page. */
async function measureRebuilds(dataFolder: string): Promise<string> {
  const config = readConfig({ dataFolder, flags: {}, environment: {}, file: {} });
  const platform = systemPlatform('error');
  const services = await openServices({ config, platform, create: false, embedder: null });
  const exchange = { lines: catalogue(), emit: () => undefined };
  const source = { source: 'generated', format: 'json-lines', dryRun: false };
  const { new: added, seconds } = await runOperation(services, importCatalog, source, exchange);
  console.log(`${added} offerings imported in ${seconds.toFixed(1)} s`);
  // High enough that the rate limit does not affect the measurement.
  const limit = { ratePerMinute: 1_000_000, burst: 1_000_000 };
  await runOperation(services, setOrganization, limit, exchange);
  const took: number[] = [];
  const stretches: number[] = [];
  for (let rebuild = 0; rebuild < REBUILDS; rebuild++) {
    const { longestMs, totalMs } = await watchEventLoop(() => rebuildPage(services));
    took.push(totalMs);
    stretches.push(longestMs);
  }
  console.log(
    `rebuild: median ${median(took).toFixed(0)} ms of ${took.map((ms) => ms.toFixed(0)).join(', ')}; longest stretch of the event loop: median ${median(stretches).toFixed(1)} ms, worst ${Math.max(...stretches).toFixed(1)} ms`,
  );
  const { page } = await services.landing.find(services.directory.organizations()[0]!.key);
  await services.close();
  return page.markdown;
}

function rebuildPage(services: OpenServices): Promise<unknown> {
  return runOperation(services, regenerateLandingPage, {}, SILENT);
}

/** JSON Lines, one row per line, as an import reads them. */
async function* catalogue(): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) {
    const item = offering(index);
    const row: CatalogRow = {
      item,
      file: 'generated',
      line: index + 1,
      record: index + 1,
      raw: null,
    };
    yield `${JSON.stringify(row)}\n`;
  }
}

function offering(index: number): Offering {
  const word = (step: number) => WORDS[(index * step) % WORDS.length]!;
  const slug = `item-${index}`;
  const priceMinor = 100 + ((index * 7919) % 200_000);
  const description = Array.from({ length: 40 }, (_, at) => word(at + 1)).join(' ');
  const url = 'https://shop.example';
  return {
    ...{ type: 'product', kind: index % 50 === 0 ? 'service' : 'product', externalId: slug },
    name: `${word(1)} ${word(3)} thing number ${index}`,
    description: `Made of ${word(1)} for everyday use. ${description}.`,
    ...{ image: `${url}/images/${slug}.jpg`, images: [`${url}/images/${slug}.jpg`], slug },
    publicUrl: `${url}/products/${slug}`,
    publishedAt: new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString(),
    vendor: `Maker ${(index * 31) % VENDORS}`,
    tags: [word(1), word(3)],
    productType: `Category ${(index * 17) % CATEGORIES}`,
    ...{ currency: 'EUR', priceMinor, sku: `SKU-${index}`, mpn: null, gtins: [] },
    compareAtPriceMinor: index % 9 === 0 ? priceMinor + 500 : null,
    availability: index % 11 === 0 ? 'out_of_stock' : 'in_stock',
    ...{ bookingUrl: null, checkoutUrl: null, attributes: { material: word(1) }, variants: [] },
  };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]!;
}
