/**
 * Measures the report on hits: how long it takes, how long it blocks the event loop, and how long a
 * health check beside it waits.
 *
 *   bun scripts/bench-report.ts [--searches 1000000] [--questions 300000] [--days 90] [--data FOLDER]
 *
 * The searches are generated, the same each time: their questions are as unequal as words are (Zipf), two
 * in three come from people, one in ten finds nothing and one in ten leads to a choice. `--data` keeps
 * the data, and takes it the next time.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { type Hit, toHit } from '../src/domain/hit.ts';
import { SILENT } from '../src/operations/define-operation.ts';
import { reportHits } from '../src/operations/hits/report-hits.ts';
import { runOperation } from '../src/operations/run-operation.ts';
import { createOrganization } from '../src/operations/tenants/organizations.ts';
import { systemPlatform } from '../src/platform.ts';
import { type OpenServices, openServices } from '../src/services.ts';
import { type ChosenSearch, saveChosenSearches } from '../src/storage/chosen-searches.ts';
import { addTallied, TalliedHits } from '../src/storage/hit-tally.ts';
import { insertHits } from '../src/storage/hits.ts';
import { watchEventLoop } from './bench/event-loop.ts';

const DAY_MS = 86_400_000;
const BATCH = 1000;
const RUNS = 5;
const AGENTS = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
];

const { values } = parseArgs({
  options: {
    searches: { type: 'string', default: '1000000' },
    questions: { type: 'string', default: '300000' },
    days: { type: 'string', default: '90' },
    data: { type: 'string' },
  },
});
const [searches, questions, days] = [values.searches, values.questions, values.days].map(
  Number,
) as [number, number, number];
const dataFolder = values.data ?? mkdtempSync(join(tmpdir(), 'vitrine-bench-report-'));
try {
  await run();
} finally {
  if (values.data === undefined) rmSync(dataFolder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  console.log(`load average ${loadavg()[0]!.toFixed(1)} before the run`);
  const config = readConfig({ dataFolder, flags: {}, environment: {}, file: {} });
  const isNew = !existsSync(join(dataFolder, 'vitrine.db'));
  const services = await openServices({
    ...{ config, platform: systemPlatform('error'), create: isNew, embedder: null },
  });
  if (isNew) await generate(services);
  for (const since of [`${days}d`, '7d']) {
    const [took, worked, blocked]: [number[], number[], number[]] = [[], [], []];
    for (let time = 0; time < RUNS; time++) {
      const before = process.cpuUsage();
      const { totalMs, longestMs } = await watchEventLoop(() =>
        runOperation(services, reportHits, { since }, SILENT),
      );
      const { user, system } = process.cpuUsage(before);
      took.push(totalMs);
      worked.push((user + system) / 1000);
      blocked.push(longestMs);
    }
    console.log(
      `report of ${since}: ${list(took)} ms, processor time ${list(worked)} ms; longest stretch of the event loop: ${list(blocked)} ms`,
    );
  }
  await services.close();
}

async function generate(services: OpenServices): Promise<void> {
  const { db, platform, directory } = services;
  await runOperation(services, createOrganization, { name: 'Bench', currency: 'EUR' }, SILENT);
  const [organization] = directory.organizations();
  const nowMs = platform.now();
  const startedMs = performance.now();
  for (let first = 0; first < searches; first += BATCH) {
    const hits = Array.from({ length: Math.min(BATCH, searches - first) }, (_, at) =>
      searchNumbered(first + at, { organizationKey: organization!.key, nowMs }),
    );
    const chosen = hits.flatMap((hit, at) => chosenAfter(hit, first + at) ?? []);
    const tallied = new TalliedHits(first);
    const alike = hits.map((hit) => ({ hit, latenciesMs: [hit.latencyMs] }));
    tallied.add(alike, first + hits.length);
    await db.stage([...insertHits(hits), ...saveChosenSearches(chosen)]);
    await addTallied(db, tallied);
    await platform.yield();
  }
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`${searches} searches of ${days} days written in ${seconds.toFixed(0)} s`);
}

function searchNumbered(
  index: number,
  { organizationKey, nowMs }: { organizationKey: number; nowMs: number },
): Hit {
  const eventMs = nowMs - Math.floor(((searches - 1 - index) / searches) * days) * DAY_MS;
  const pick = uniform(index);
  // The rank of a word is about as often below x as the logarithm of x says.
  const question = Math.floor(questions ** pick);
  return toHit(
    {
      ...{ eventDate: new Date(eventMs).toISOString(), classification: 'search', method: 'GET' },
      ...{ path: '/rest/search/v3/?q=word', url: null, userAgent: AGENTS[index % AGENTS.length]! },
      ...{ clientIp: `203.0.${index % 250}.0/24`, botScore: null, verifiedBot: null },
      ...{ headers: null, cf: null },
    },
    {
      ...{ id: Bun.randomUUIDv7(), organizationKey, source: 'service', access: 'key' },
      ...{ createdAt: eventMs, eventMs },
    },
    {
      ...{ tool: null, question: `enamel mug number ${question}`, isDoubtful: false },
      ...{ resultCount: index % 10 === 0 ? 0 : 7, offeringId: null, latencyMs: (index % 40) / 2 },
    },
  );
}

function chosenAfter(hit: Hit, index: number): ChosenSearch | null {
  if (index % 10 !== 1) return null;
  const { organizationKey, day, agentKind, access, question } = hit;
  return {
    ...{
      searchHitKey: index + 1,
      choiceHitKey: index + 2,
      organizationKey,
      day,
      agentKind,
      access,
    },
    ...{ question: question!, isPurchase: index % 50 === 1 },
  };
}

/** From 0 to 1, always the same for an index, and spread evenly. */
function uniform(index: number): number {
  return (index * 0.618_033_988_749_895) % 1;
}

function list(numbers: readonly number[]): string {
  return numbers.map((number) => number.toFixed(0)).join(', ');
}
