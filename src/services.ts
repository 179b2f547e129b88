import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInBackground } from './background.ts';
import { type Config, dataFiles, indexMemoryMb, localUrl, signInUrl } from './config.ts';
import { Directory } from './directory.ts';
import { AppError } from './domain/errors.ts';
import { embedderSource, openEmbedder, openFormerEmbedder } from './embedders.ts';
import { Metrics } from './metrics.ts';
import type { Embedder } from './models/embedder.ts';
import { openRemotePageWriter } from './models/page-writer.ts';
import { openRemoteScorer } from './models/remote-scorer.ts';
import { Curations } from './operations/curation/curations.ts';
import { SILENT } from './operations/define-operation.ts';
import { Drafts } from './operations/drafts/drafts.ts';
import { HitRecorder } from './operations/hits/hit-recorder.ts';
import { HitTally } from './operations/hits/hit-tally.ts';
import { OwnTraffic, recordOwnTraffic } from './operations/hits/own-traffic.ts';
import { PushLog } from './operations/imports/push-log.ts';
import { RowKeys } from './operations/imports/row-keys.ts';
import { Embeddings, type OpenFormer } from './operations/indexes/embeddings.ts';
import { IndexArchive } from './operations/indexes/index-archive.ts';
import { IndexFiles } from './operations/indexes/index-files.ts';
import { IndexKeeper } from './operations/indexes/index-keeper.ts';
import { Mutex } from './operations/instances/mutex.ts';
import type { SharedWork } from './operations/instances/shared-work.ts';
import { openSharedWork } from './operations/instances/shared-work.ts';
import { Introductions } from './operations/landing/introductions.ts';
import { LandingPages, type LandingPagesOptions } from './operations/landing/landing-pages.ts';
import { Learned } from './operations/learning/learned.ts';
import { ImageHosts } from './operations/offerings/image-hosts.ts';
import { ItemQueue } from './operations/pushes/item-queue.ts';
import { UploadQueue } from './operations/pushes/upload-queue.ts';
import { RetentionClock } from './operations/retention-clock.ts';
import { Scoring } from './operations/search/score-candidates.ts';
import { ClientDocuments, type FetchDocument } from './operations/sign-in/client-documents.ts';
import type { SignIn, SignInServices } from './operations/sign-in/sign-in-services.ts';
import { AdminSessions } from './operations/tenants/admin-sessions.ts';
import { adoptApiKey, flushKeyUses } from './operations/tenants/api-keys.ts';
import { BodyBudget } from './operations/tenants/body-budget.ts';
import { createOrganization } from './operations/tenants/organizations.ts';
import {
  backUpBeforeMigration,
  removeDeadWorkFolders,
} from './operations/upkeep/back-up-database.ts';
import { PageCheck } from './operations/upkeep/page-check.ts';
import { Readiness } from './operations/upkeep/readiness.ts';
import { registerMetrics } from './operations/upkeep/register-metrics.ts';
import type { UpkeepServices } from './operations/upkeep/upkeep-services.ts';
import type { Platform } from './platform.ts';
import { RateLimiter } from './rate-limit.ts';
import { interruptImports } from './storage/catalog/imports.ts';
import { type Database, holdsOrganization, openDatabase } from './storage/engine/database.ts';
import { checkWritable, finishRestore, isThere, makePrivate } from './storage/engine/files.ts';
import { lockFolder } from './storage/engine/lock.ts';
import { SCHEMA_VERSION } from './storage/engine/migrations.ts';
import { openServerDatabase, syncsCommits } from './storage/engine/server-database.ts';
import { releaseLeases } from './storage/landing-pages.ts';
import { findOrSaveMeta } from './storage/meta.ts';

export { SCHEMA_VERSION };

/** Rate-limit buckets kept in memory: for organizations, and for IP addresses that sent invalid keys. */
const BUCKETS_MAX = 100_000;

/** Minimum for the total timeout of a call to the language model. */
const SCORER_TIMEOUT_MIN_MS = 10_000;

/** Everything that lives as long as the process. */
export interface Services extends SharedWork, UpkeepServices, SignInServices {}

export interface OpenServices extends Services {
  /** Starts background work: warming up the model, loading catalogues, making embeddings. */
  startWorkers(): void;
  /** Marks the service as not ready. */
  beginStop(): void;
  /** Stops the workers at their next safe point, flushes, and closes the database. */
  close(): Promise<void>;
}

export interface ServicesOptions {
  readonly config: Config;
  readonly platform: Platform;
  /** Creates the folder and the database if they are missing. */
  readonly create: boolean;
  /** Whether no client waits for this process: it is a command; default: false. */
  readonly isAlone?: boolean;
  /** Tells a person what takes long, in whole lines; default: nobody. */
  readonly note?: (text: string) => void;
  /** Replaces the configured embedder; null for lexical search only. */
  readonly embedder?: Embedder | null;
  /** Replaces how models are opened that were in use before. */
  readonly openFormer?: OpenFormer;
  /** Replaces the Internet, where OAuth clients publish documents about themselves. */
  readonly fetchDocument?: FetchDocument;
}

/**
 * Opens all services in order of dependency. Throws `already_running`, `not_initialized` or `damaged`,
 * and then leaves nothing open.
 */
export async function openServices(options: ServicesOptions): Promise<OpenServices> {
  const stopping = new AbortController();
  // Closes in reverse order of opening, at the end or when a later step fails.
  const opened = new AsyncDisposableStack();
  try {
    const db = await openData(options, opened);
    const services = await assemble(options, { db, opened, stopping: stopping.signal });
    const { dataFolder } = options.config;
    registerMetrics(services, { folder: dataFolder, database: dataFiles(dataFolder).database });
    await bootstrap(services, options.config);
    return {
      ...services,
      startWorkers() {
        const ended = runInBackground(services);
        opened.defer(() => ended);
      },
      beginStop: () => stopping.abort(),
      async close() {
        stopping.abort();
        await opened.disposeAsync();
      },
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Whether the data folder holds an organization, found without changing anything. A server is not asked. */
export async function isInitialised({ dataFolder, databaseUrl }: Config): Promise<boolean> {
  const { database } = dataFiles(dataFolder);
  return databaseUrl === null && existsSync(database) && (await holdsOrganization(database));
}

/** Locks the folder for this process and opens the database, in the folder or on a server. */
async function openData(
  { config, platform, create, isAlone = false, note = () => undefined }: ServicesOptions,
  opened: AsyncDisposableStack,
): Promise<Database> {
  const { dataFolder, databaseUrl, databaseAuthToken } = config;
  const files = dataFiles(dataFolder);
  // With a database server, the folder holds nothing that must exist already.
  if (create || databaseUrl !== null) mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  if (databaseUrl === null && !create && !(await isThere(files.database))) {
    throw new AppError(
      'not_initialized',
      `There is no vitrine in ${dataFolder}: run "vitrine init" first.`,
    );
  }
  await checkWritable([dataFolder, ...(databaseUrl === null ? [files.database] : [])]);
  if (makePrivate(dataFolder)) platform.log('warn', 'data_folder_made_private', { dataFolder });
  const lock = await lockFolder(files.lock);
  opened.defer(() => lock.release());
  await removeDeadWorkFolders(dataFolder);
  const db =
    databaseUrl === null
      ? await openFile(files.database, { platform, create, isAlone, note })
      : await openServerDatabase({
          ...{ url: databaseUrl, authToken: databaseAuthToken, create },
          ...{ instance: platform.newId(), monotonicMs: platform.monotonicMs },
        });
  opened.defer(() => db.close());
  if (db.instance !== null && !(await syncsCommits(db)))
    platform.log('warn', 'commits_not_synced', {
      hint: 'a power cut at the database server loses what was acknowledged last: set its durability_mode to strong, as src/storage/README.md shows',
    });
  return db;
}

/** Opens the database file, after a restore or a backup that is due. */
async function openFile(
  path: string,
  { platform, create, isAlone, note }: FileOptions,
): Promise<Database> {
  await finishRestore(path);
  const onBegin = () =>
    note(
      `Upgrading ${path} to schema ${SCHEMA_VERSION}. A backup comes first, half a minute for a million offerings.\n`,
    );
  const saved = await backUpBeforeMigration(path, { nowMs: platform.now(), onBegin });
  if (saved !== null) platform.log('info', 'backed_up_before_migration', { file: saved });
  return openDatabase(path, { create, isAlone, monotonicMs: platform.monotonicMs });
}

type FileOptions = Required<Pick<ServicesOptions, 'platform' | 'create' | 'isAlone' | 'note'>>;

interface Foundation {
  readonly db: Database;
  readonly opened: AsyncDisposableStack;
  readonly stopping: AbortSignal;
}

async function assemble(options: ServicesOptions, foundation: Foundation): Promise<Services> {
  const { config, platform } = options;
  const { db, opened, stopping } = foundation;
  const embeddings = openEmbeddings(options, db);
  opened.defer(() => embeddings.close());
  const scoring = openScoring(config, platform);
  opened.defer(() => scoring?.close());
  const directory = await Directory.open(db);
  // Only this process uses the file, so any lease and any unfinished import in it belong to a process
  // that was killed. On a server, leases expire instead. A full disk does not prevent serving.
  if (db.instance === null) {
    const ended = [releaseLeases(db), interruptImports(db, platform.now())];
    await db.write(ended).catch(ignoreRefusal);
  }
  const introductions = openIntroductions(config, platform);
  const copyMutex = new Mutex();
  const file = resolve(dataFiles(config.dataFolder).database);
  const pageCheck = new PageCheck({ db, platform, file, copyMutex, stopping });
  const services: Services = {
    platform,
    db,
    metrics: new Metrics(),
    readiness: new Readiness({ db, platform, dataFolder: config.dataFolder, pageCheck, stopping }),
    pageCheck,
    directory,
    retentionClock: await RetentionClock.open({ db, platform }),
    indexes: openIndexes(options, { db, directory, embeddings, stopping }),
    scoring,
    introductions,
    landing: new LandingPages({
      ...{ db, platform, directory, introductions, stopping },
      address: addressOf(config),
    }),
    rateLimiter: new RateLimiter({ ...platform, capacity: BUCKETS_MAX }),
    bodyBudget: new BodyBudget(),
    embeddings,
    curations: new Curations({ db, directory, platform }),
    imageHosts: new ImageHosts({ db, directory, platform }),
    learned: new Learned({ db, platform, directory, embeddings, isOn: config.learn === 'on' }),
    ...openCatalogueChanges(opened),
    cursorSecret: await findOrMakeSecret(db, platform, 'cursor_secret'),
    ...openSharedWork({ db, platform, directory, stopping }),
    copyMutex,
    stopping,
    keyUses: new Map(),
    openSessions: new Set(),
    adminSessions: new AdminSessions(platform),
    signIn: await openSignIn(options, foundation),
    dataFolder: resolve(config.dataFolder),
    ...hitServices(config, { db, platform }),
  };
  opened.defer(() => services.background.release());
  opened.defer(() => services.indexes.idle());
  opened.defer(() => services.landing.close());
  const flush = (task: () => Promise<void>) => opened.defer(() => writeAtEnd(services, task));
  flush(() => flushKeyUses(services));
  flush(async () => {
    while (await recordOwnTraffic(services));
  });
  return services;
}

function openEmbeddings(
  { config, platform, embedder, openFormer }: ServicesOptions,
  db: Database,
): Embeddings {
  const isConfigured = embedder === undefined;
  return new Embeddings({
    ...{ db, platform, budgetMs: config.embedderBudgetMs },
    embedder: isConfigured ? openEmbedder(config, platform) : embedder,
    source: isConfigured ? embedderSource(config) : null,
    openFormer: openFormer ?? ((former) => openFormerEmbedder(former, config, platform)),
  });
}

/** The state in memory of what changes catalogues. */
function openCatalogueChanges(opened: AsyncDisposableStack) {
  return {
    pushLog: new PushLog(),
    rowKeys: new RowKeys(),
    uploads: opened.use(new UploadQueue()),
    drafts: opened.use(new Drafts()),
    itemQueue: new ItemQueue(),
    catalogRequestsInUse: new Set<string>(),
  };
}

/** Leases expire by themselves, and work that needs one could not write either. */
function ignoreRefusal(error: unknown): void {
  if (!isRefusal(error)) throw error;
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** Writes what exists only in memory. If the disk is full or the server is unreachable, it is lost and logged. */
async function writeAtEnd({ db, platform }: Services, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (db.instance === null && !isRefusal(error)) throw error;
    platform.log('error', 'not_written_at_end', { cause: String(error) });
  }
}

/** Null where nobody can sign in. */
async function openSignIn(
  { config, platform, fetchDocument }: ServicesOptions,
  { db, stopping }: Foundation,
): Promise<SignIn | null> {
  const issuer = signInUrl(config);
  if (issuer === null) return null;
  const fetch = fetchDocument === undefined ? {} : { fetch: fetchDocument };
  return {
    issuer,
    secret: await findOrMakeSecret(db, platform, 'sign_in_secret'),
    documents: new ClientDocuments({ platform, stopping, ...fetch }),
    stopping,
  };
}

function openIndexes(
  { config, platform, isAlone = false }: ServicesOptions,
  parts: Pick<Services, 'db' | 'directory' | 'embeddings' | 'stopping'>,
): IndexKeeper {
  const budgetBytes = indexMemoryMb(config, platform.memoryBytes()) * 1024 * 1024;
  const files = new IndexFiles(join(resolve(config.dataFolder), 'index'));
  const archive = new IndexArchive({ ...parts, platform, files });
  return new IndexKeeper({ ...parts, platform, budgetBytes, archive, isPatient: isAlone });
}

/** A random secret that all instances share and that outlives a restart. */
function findOrMakeSecret(db: Database, platform: Platform, name: string): Promise<string> {
  return findOrSaveMeta(db, name, () => Buffer.from(platform.randomBytes(32)).toString('hex'));
}

function hitServices(
  { hitsDays: days, hitsRollUpMonths: rollUpMonths, hitsFullAddressHours }: Config,
  parts: { db: Database; platform: Platform },
): Pick<Services, 'hits' | 'hitRequestsInUse' | 'ownTraffic' | 'hitTally' | 'hitRetention'> {
  const hitTally = new HitTally();
  return {
    hits: new HitRecorder({ ...parts, hitTally }),
    hitTally,
    hitRequestsInUse: new Set(),
    ownTraffic: new OwnTraffic(),
    hitRetention: { days, rollUpMonths, fullAddressHours: hitsFullAddressHours },
  };
}

function openScoring(
  { scorerUrl, scorerModel, scorerApiKey, scorerBudgetMs }: Config,
  platform: Platform,
): Scoring | null {
  if (scorerUrl === null) return null;
  // A call continues after its search has stopped waiting: its grades serve the next search.
  const timeoutMs = Math.max(SCORER_TIMEOUT_MIN_MS, 2 * scorerBudgetMs);
  const scorer = openRemoteScorer({
    url: scorerUrl,
    model: scorerModel,
    apiKey: scorerApiKey,
    timeoutMs,
  });
  return new Scoring({ platform, scorer, budgetMs: scorerBudgetMs });
}

function addressOf({ publicUrl, listen }: Config): LandingPagesOptions['address'] {
  return { baseUrl: publicUrl ?? localUrl(listen), isPublic: publicUrl !== null };
}

function openIntroductions(
  { writerUrl, writerModel, writerApiKey, writerBudgetMs }: Config,
  platform: Platform,
): Introductions | null {
  if (writerUrl === null) return null;
  const endpoint = { url: writerUrl, model: writerModel, apiKey: writerApiKey };
  const writer = openRemotePageWriter({ ...endpoint, timeoutMs: writerBudgetMs });
  return new Introductions({ platform, writer });
}

/** For containers: creates the organization and key that the environment names, once. */
async function bootstrap(
  services: Services,
  { bootstrapOrg, bootstrapApiKey }: Config,
): Promise<void> {
  if (bootstrapOrg === '') return;
  const { directory, bootstrapMutex } = services;
  await bootstrapMutex.run(async () => {
    if (directory.organizations().length === 0) {
      const input = { name: bootstrapOrg, currency: 'USD' };
      await createOrganization.run(services, input, SILENT);
    }
    if (bootstrapApiKey !== '')
      await adoptApiKey(services, directory.organizations()[0]!, bootstrapApiKey);
  });
}
