import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { AppError } from '../../domain/errors.ts';
import type { Organization } from '../../domain/organization.ts';
import { sampleNames } from '../../operations/offerings/sample-names.ts';
import { searchCatalog } from '../../operations/search/search-catalog.ts';
import { resolveOrganization } from '../../operations/tenants/organizations.ts';
import { withWorkFolder } from '../../operations/upkeep/back-up-database.ts';
import { type Platform, systemPlatform } from '../../platform.ts';
import type { Services } from '../../services.ts';
import { openServices } from '../../services.ts';
import {
  type Cli,
  type CommonOptions,
  configOf,
  printResult,
  withSettings,
} from '../command/cli.ts';
import { wholeNumber } from '../command/numbers.ts';
import { table } from '../command/table.ts';
import { copyDatabase } from './database-copy.ts';

/** How many database pages are written and synced. */
const SYNC_BYTES = 4096;
const SYNCS = 200;

/** Texts per embedder run. */
const TEXTS = 64;

/** Concurrent searches. */
const CLIENTS = 16;

/** Maximum length of a question, in characters. */
const QUESTION_MAX = 1024;

interface BenchOptions extends CommonOptions {
  readonly questions: number;
}

interface Measurement {
  readonly what: string;
  /** Latencies of sequential runs, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

export function benchCommand(cli: Cli): Command {
  return withSettings(new Command('bench'))
    .description('measure search, disk and embedder speed of this machine with your own catalogue')
    .option(
      '--questions <count>',
      'number of questions, made from names in the catalogue',
      wholeNumber(1, 10_000),
      200,
    )
    .addHelpText(
      'after',
      `
It works on a copy of the database, in its own process. It does not change a running service, but
shares the machine with it.

Example:
  vitrine bench --questions 500 --json`,
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<BenchOptions>();
      const config = configOf(cli, options);
      const platform = systemPlatform('error');
      const folder = join(config.dataFolder, 'bench.partial');
      const measured = await withWorkFolder(folder, async ({ path, copy }) => {
        await copyDatabase(config, copy);
        const copied = { ...config, dataFolder: dirname(copy) };
        const services = await openServices({
          ...{ config: copied, platform, create: false, isAlone: true },
        });
        try {
          const searches = await measureSearches(services, options);
          return [...searches, ...(await measureEmbedder(services)), measureDisk(path, platform)];
        } finally {
          await services.close();
        }
      });
      printResult(cli, options, measured, (all) =>
        table(
          ['', 'p50', 'p99', 'rate'],
          all.map(({ what, p50Ms, p99Ms, perSecond }) => [
            what,
            `${p50Ms.toFixed(2)} ms`,
            `${p99Ms.toFixed(2)} ms`,
            `${Math.round(perSecond)}/s`,
          ]),
        ),
      );
    });
}

/**
 * Measures each question the first time and again with its embedding cached, then concurrently for
 * the throughput.
 */
async function measureSearches(
  services: Services,
  { org, questions: count }: BenchOptions,
): Promise<Measurement[]> {
  const organization = resolveOrganization(services, org);
  const names = await sampleNames(services, organization, count);
  if (names.length === 0)
    throw new AppError('unavailable', 'The catalogue is empty: import one first.');
  await services.embeddings.load();
  await services.indexes.forSearch(organization.key);
  const questions = names.map((name) => name.slice(0, QUESTION_MAX));
  const first = await timeEach(services, organization, questions);
  const again = await timeEach(services, organization, questions);
  return [
    summarize(`search, new question (${questions.length})`, first),
    {
      ...summarize('search, known question', again),
      perSecond: await rate(services, organization, questions),
    },
  ];
}

function ask(services: Services, { key }: Organization, question: string) {
  const input = { organizationKey: key, shops: null, question, productsOnly: false };
  return searchCatalog(services, { ...input, skipScoring: false, offset: 0, limit: 20 });
}

async function timeEach(
  services: Services,
  organization: Organization,
  questions: readonly string[],
): Promise<number[]> {
  const { monotonicMs } = services.platform;
  const times: number[] = [];
  for (const question of questions) {
    const startedMs = monotonicMs();
    await ask(services, organization, question);
    times.push(monotonicMs() - startedMs);
  }
  return times;
}

async function rate(
  services: Services,
  organization: Organization,
  questions: readonly string[],
): Promise<number> {
  const { monotonicMs } = services.platform;
  const startedMs = monotonicMs();
  const open = questions.values();
  const client = async () => {
    for (const question of open) await ask(services, organization, question);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (questions.length * 1000) / (monotonicMs() - startedMs);
}

async function measureEmbedder(services: Services): Promise<Measurement[]> {
  const { embeddings, platform, stopping } = services;
  if (!embeddings.isOn) return [];
  const texts = Array.from({ length: TEXTS }, (_, index) => `Waterproof jacket number ${index}`);
  const times: number[] = [];
  for (const text of texts) {
    const startedMs = platform.monotonicMs();
    await embeddings.offeringVectors([text], stopping);
    times.push(platform.monotonicMs() - startedMs);
  }
  return [summarize('embedder, a short text', times)];
}

/** Measures how long a write and sync take. Every hit and every import waits for one. */
function measureDisk(folder: string, { monotonicMs }: Platform): Measurement {
  const file = openSync(join(folder, 'sync'), 'w');
  try {
    const page = Buffer.alloc(SYNC_BYTES, 1);
    const times = Array.from({ length: SYNCS }, () => {
      const startedMs = monotonicMs();
      writeSync(file, page);
      fsyncSync(file);
      return monotonicMs() - startedMs;
    });
    return summarize('disk, write and sync of a page', times);
  } finally {
    closeSync(file);
  }
}

function summarize(what: string, timesMs: readonly number[]): Measurement {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const sum = sorted.reduce((total, ms) => total + ms, 0);
  return { what, p50Ms: at(0.5), p99Ms: at(0.99), perSecond: (sorted.length * 1000) / sum };
}
