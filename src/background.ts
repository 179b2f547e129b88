import { forgetIdleSessions } from './operations/assistants/sessions.ts';
import { maintainHits } from './operations/hits/maintain-hits.ts';
import { recordOwnTraffic } from './operations/hits/own-traffic.ts';
import type { SharedWork } from './operations/instances/shared-work.ts';
import { regenerateNextPage } from './operations/landing/regenerate-next-page.ts';
import { embedNextQuestions } from './operations/learning/embed-next-questions.ts';
import { Learner } from './operations/learning/learner.ts';
import { applyNextDeliveries } from './operations/pushes/apply-webhooks.ts';
import { importNextUpload } from './operations/pushes/import-next-upload.ts';
import { embedNextDocuments } from './operations/search/embed-next-documents.ts';
import { closeUnusedModels } from './operations/search/replace-model.ts';
import { forgetEndedGrants } from './operations/sign-in/forget-grants.ts';
import { SourceRefreshes } from './operations/sources/source-refreshes.ts';
import { flushKeyUses } from './operations/tenants/api-keys.ts';
import { clearVersions } from './operations/upkeep/clear-versions.ts';
import { completeErasures } from './operations/upkeep/delete-organization.ts';
import { examineRecords } from './operations/upkeep/examine-records.ts';
import { followInstances } from './operations/upkeep/follow-instances.ts';
import { measureEventLoop } from './operations/upkeep/measure-event-loop.ts';
import type { UpkeepServices } from './operations/upkeep/upkeep-services.ts';
import { runLoop } from './worker.ts';

/** How soon embeddings follow an import: the pause between checks while idle. */
const EMBED_IDLE_MS = 500;

/** How soon a model is closed whose vectors no longer answer. */
const MODELS_IDLE_MS = 10_000;

/** How soon a requested catalogue is loaded into memory once the model is known. */
const INDEX_RETRY_MS = 100;

/** How soon an index is written to its file: the pause between checks while idle. */
const INDEX_FILES_IDLE_MS = 1000;

/** How soon a source that is due is fetched. */
const SOURCES_IDLE_MS = 1000;

/** How soon a webhook is applied. */
const WEBHOOKS_IDLE_MS = 250;

/** How soon a stale landing page is rebuilt. */
const LANDING_IDLE_MS = 500;

/** How often expired assistant sessions are deleted. */
const SESSIONS_IDLE_MS = 10 * 60_000;

/** How often codes that nobody redeemed are deleted. */
const GRANTS_IDLE_MS = 10 * 60_000;

/** How soon the erasure of a deleted organization goes on after a start. */
const ERASURES_IDLE_MS = 10_000;

/** How often the times of last use of keys are written. */
const KEY_USES_FLUSH_MS = 60_000;

/** How soon the service's own traffic is recorded: in small commits, because a request may wait for one. */
const OWN_TRAFFIC_PAUSE_MS = 100;

/** How soon a search for a damaged record starts after one was read. */
const RECORDS_IDLE_MS = 1000;

/** How soon after an import the versions that it replaced are removed. */
const VERSIONS_IDLE_MS = 1000;

/** How soon a page check that could not start is retried. */
const PAGE_CHECK_IDLE_MS = 1000;

/** How soon hits are counted: the pause between checks while idle. */
const HITS_IDLE_MS = 1000;

/** How soon a choice counts: the pause between looks at new hits, and at what was learned from them. */
const LEARN_IDLE_MS = 2000;

/** How soon changes by another instance are seen; a key revoked there works here for this long. */
const FOLLOW_IDLE_MS = 1000;

/** On a server an idle service looks for work so many times as rarely. */
const SERVER_PATIENCE = 4;

/** How soon another instance takes over the background work of one that has stopped. */
const BACKGROUND_IDLE_MS = 4000;

interface BackgroundServices extends SharedWork, UpkeepServices {}

/**
 * Starts what runs beside requests. Resolves when all of it has ended, which is at the next boundary of
 * each task after `services.stopping` aborts.
 */
export async function runInBackground(services: BackgroundServices): Promise<void> {
  const { platform, stopping: signal, indexes, directory, background, db } = services;
  const { embeddings, pageCheck } = services;
  const sources = new SourceRefreshes(services, signal);
  const learner = new Learner(services);
  void embeddings.warmUp(signal);
  // Requested now, so that the first searches find them in memory; loaded once the model is known.
  indexes.preload(directory.organizations().map(({ key }) => key));
  const run = (name: string, idleMs: number, task: () => Promise<boolean>) =>
    runLoop({ name, idleMs, platform, signal }, task);
  // Each look is a request to a server.
  const patience = db.instance === null ? 1 : SERVER_PATIENCE;
  const runForAll = (name: string, idleMs: number, task: () => Promise<boolean>) =>
    run(name, idleMs * patience, async () => background.isHeld && (await task()));
  const workers = [
    runForAll('embed', EMBED_IDLE_MS, () => embedNextDocuments(services, signal)),
    run('models', MODELS_IDLE_MS, () => closeUnusedModels(services).then(() => false)),
    run('index', INDEX_RETRY_MS, async () => {
      await indexes.requested(signal);
      return indexes.loadNext(signal);
    }),
    run('index-files', INDEX_FILES_IDLE_MS, () => indexes.keepNext()),
    runForAll('versions', VERSIONS_IDLE_MS, clearVersions(services)),
    runForAll('erasures', ERASURES_IDLE_MS, completeErasures(services)),
    runForAll('landing', LANDING_IDLE_MS, () => regenerateNextPage(services)),
    runForAll('sources', SOURCES_IDLE_MS, () => sources.startNext()),
    run('key-uses', KEY_USES_FLUSH_MS, () => flushKeyUses(services).then(() => false)),
    run('own-traffic', OWN_TRAFFIC_PAUSE_MS, async () => {
      await services.ownTraffic.filled(signal);
      // More hits may arrive, and the request that noted the first one should be answered before
      // they are written.
      await platform.sleep(OWN_TRAFFIC_PAUSE_MS, signal);
      while (await recordOwnTraffic(services)) await platform.yield();
      return true;
    }),
    runForAll('webhooks', WEBHOOKS_IDLE_MS, () => applyNextDeliveries(services)),
    run('uploads', 0, async () => {
      await services.uploads.filled(signal);
      return importNextUpload(services);
    }),
    runForAll('hits', HITS_IDLE_MS, maintainHits(services)),
    runForAll('learn', LEARN_IDLE_MS, () => learner.learnNext()),
    runForAll('learn-questions', LEARN_IDLE_MS, () => embedNextQuestions(services, signal)),
    run('learned', LEARN_IDLE_MS * patience, () => services.learned.follow().then(() => false)),
    run('page-check', PAGE_CHECK_IDLE_MS, () => pageCheck.run().then(() => false)),
    run('records', RECORDS_IDLE_MS, examineRecords(services)),
    run('event-loop', 0, measureEventLoop(services)),
    run('sessions', SESSIONS_IDLE_MS, () => forgetIdleSessions(services).then(() => false)),
    runForAll('grants', GRANTS_IDLE_MS, () => forgetEndedGrants(services).then(() => false)),
  ];
  if (db.instance !== null) {
    workers.push(run('follow', FOLLOW_IDLE_MS, followInstances(services)));
    workers.push(run('background', BACKGROUND_IDLE_MS, () => background.keep().then(() => false)));
  }
  await Promise.all(workers);
  await sources.settled();
}
