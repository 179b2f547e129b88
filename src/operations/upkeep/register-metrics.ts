import { statfsSync, statSync } from 'node:fs';
import type { Metric } from '../../metrics.ts';
import { findLastEventAt } from '../../storage/audit-log.ts';
import { countImports } from '../../storage/catalog/imports.ts';
import { countLandingPages } from '../landing/operate-landing-pages.ts';
import { formerlyAnswered } from '../search/replace-model.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** All states of an import, so that counts of 0 are reported too. */
const IMPORT_STATES = [
  'committed',
  'checked',
  'failed',
  'interrupted',
  'running',
  'waiting',
] as const;

export interface MeasuredFiles {
  readonly folder: string;
  readonly database: string;
}

/** Registers the metrics of the service, with or without a listener. A new part registers its own. */
export function registerMetrics(services: UpkeepServices, files: MeasuredFiles): void {
  const metrics = [
    ...processMetrics(services),
    ...storageMetrics(services, files),
    ...modelMetrics(services),
    ...catalogMetrics(services),
    ...landingMetrics(services),
  ];
  for (const metric of metrics) services.metrics.register(metric);
}

function processMetrics({ platform, rateLimiter, bodyBudget }: UpkeepServices): Metric[] {
  const startedAt = platform.now();
  return [
    gauge('process_start_time_seconds', 'When the process began.', () => startedAt / 1000),
    gauge('process_resident_memory_bytes', 'Memory of the process.', () => {
      return platform.usage().residentBytes;
    }),
    gauge('vitrine_heap_bytes', 'Memory that JavaScript uses.', () => platform.usage().heapBytes),
    counter('process_cpu_seconds_total', 'Time on all cores.', () => platform.usage().cpuSeconds),
    counter('vitrine_rate_limited_total', 'Requests refused by a rate limit, by its kind.', () =>
      [...rateLimiter.refusals].map(([bucket, value]) => ({ labels: { bucket }, value })),
    ),
    gauge('vitrine_body_bytes', 'Request bodies in memory.', () => bodyBudget.bytes),
    counter('vitrine_body_refusals_total', 'Requests refused for too many bytes of bodies.', () => {
      return bodyBudget.refusals;
    }),
  ];
}

function storageMetrics(
  { db, platform, hits }: UpkeepServices,
  { folder, database }: MeasuredFiles,
): Metric[] {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const { activity } = db;
  return [
    gauge('vitrine_disk_free_bytes', 'Free space where the data folder is.', () => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    }),
    gauge('vitrine_database_bytes', 'Size of the database and of its write-ahead log.', () =>
      db.instance === null
        ? [
            { labels: { file: 'database' }, value: sizeOf(database) },
            { labels: { file: 'wal' }, value: sizeOf(`${database}-wal`) },
          ]
        : [],
    ),
    counter('vitrine_database_reads_total', 'Statements read.', () => activity.reads),
    counter('vitrine_database_writes_total', 'Transactions written.', () => activity.writes),
    counter('vitrine_database_seconds_total', 'Time in the database, by what it did.', () => [
      { labels: { action: 'read' }, value: activity.readMs / 1000 },
      { labels: { action: 'write' }, value: activity.writeMs / 1000 },
    ]),
    gauge('vitrine_hits_waiting', 'Hits that wait for their commit.', () => hits.waitingCount),
    gauge('vitrine_database_waiting_writes', 'Transactions in line.', () => activity.waiting),
    counter(
      'vitrine_database_refusals_total',
      'Transactions that the disk or the file refused.',
      () => {
        return activity.refusals;
      },
    ),
    counter('vitrine_database_damaged_texts_total', 'Texts read that were not UTF-8.', () => {
      return activity.damagedTexts;
    }),
    gauge(
      'vitrine_backup_age_seconds',
      'Time since the last backup; missing if there is none.',
      async () => {
        const at = await findLastEventAt(db, 'backup.written');
        return at === null ? null : (platform.now() - at) / 1000;
      },
    ),
  ];
}

function modelMetrics(services: UpkeepServices): Metric[] {
  const { embeddings, scoring } = services;
  const { counts } = embeddings;
  const embedder = [
    gauge('vitrine_embedder_waiting_texts', 'Texts that wait for the embedder.', () => {
      return embeddings.waitingTexts;
    }),
    counter(
      'vitrine_embedder_texts_total',
      'Texts that the embedder read.',
      () => counts.textsRead,
    ),
    counter(
      'vitrine_embedder_seconds_total',
      'Time waited for the embedder.',
      () => counts.readMs / 1000,
    ),
    counter(
      'vitrine_embedder_failures_total',
      'Requests that the embedder did not answer.',
      () => counts.failures,
    ),
    gauge(
      'vitrine_vectors_missing',
      'Items and passages that lack a vector of the configured model; missing while that is not known.',
      () => embeddings.progress.left,
    ),
    gauge(
      'vitrine_vectors_remaining_seconds',
      'Time until none lacks one, at the recent pace; missing while that is not known.',
      () => embeddings.progress.remainingSeconds,
    ),
    gauge(
      'vitrine_organizations_with_former_vectors',
      'Organizations that vectors of a former model answer.',
      () => formerlyAnswered(services).length,
    ),
    counter('vitrine_questions_total', 'Questions read for meaning.', () => counts.asked),
    counter(
      'vitrine_questions_cached_total',
      'Questions whose vector was known.',
      () => counts.cached,
    ),
    counter(
      'vitrine_questions_late_total',
      'Questions whose vector came too late.',
      () => counts.timeouts,
    ),
  ];
  if (scoring === null) return embedder;
  return [
    ...embedder,
    counter('vitrine_scorer_outcomes_total', 'Searches graded by the language model, or not.', () =>
      Object.entries(scoring.outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    gauge(
      'vitrine_scorer_calls',
      'Calls of the language model on their way.',
      () => scoring.callCount,
    ),
    gauge('vitrine_scorer_breaker_open', '1 while the language model is left alone.', () => {
      return scoring.isResting ? 1 : 0;
    }),
  ];
}

function landingMetrics(services: UpkeepServices): Metric[] {
  return [
    gauge('vitrine_landing_pages', 'Landing pages, and those of them in a state.', async () => {
      const { pages, stale, failing } = await countLandingPages(services);
      return Object.entries({ all: pages, stale, failing }).map(([state, value]) => ({
        labels: { state },
        value,
      }));
    }),
    counter(
      'vitrine_landing_rebuilds_total',
      'Rebuilds of landing pages, by how they ended.',
      () => {
        const { rebuilt, failed } = services.landing.counts;
        return Object.entries({ rebuilt, failed }).map(([end, value]) => ({
          labels: { end },
          value,
        }));
      },
    ),
    gauge('vitrine_landing_rebuild_seconds', 'How long the last rebuild took.', () => {
      return services.landing.counts.lastMs / 1000;
    }),
  ];
}

function catalogMetrics({ db, indexes }: UpkeepServices): Metric[] {
  return [
    gauge('vitrine_index_bytes', 'Memory of the catalogues that are searched in memory.', () => {
      return indexes.byteSize;
    }),
    gauge('vitrine_imports', 'Imports that are on record, by how they ended.', async () => {
      const counts = await countImports(db);
      return IMPORT_STATES.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
    }),
  ];
}

function gauge(name: string, help: string, read: Metric['read']): Metric {
  return { name, help, type: 'gauge', read };
}

function counter(name: string, help: string, read: Metric['read']): Metric {
  return { name, help, type: 'counter', read };
}
