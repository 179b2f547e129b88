import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { withoutDuplicates } from '../../catalog/record/duplicates.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../domain/errors.ts';
import { SILENT } from '../../operations/define-operation.ts';
import { catalogStats } from '../../operations/imports/catalog-stats.ts';
import { type ImportEvent, importCatalog } from '../../operations/imports/import-catalog.ts';
import { jsonBlocks, LARGE_BLOCK_LENGTH } from '../../operations/imports/json-blocks.ts';
import { runOperation } from '../../operations/run-operation.ts';
import { embedNextDocuments } from '../../operations/search/embed-next-documents.ts';
import {
  type OperatorSearch,
  searchForOperator,
} from '../../operations/search/search-for-operator.ts';
import { createOrganization } from '../../operations/tenants/organizations.ts';
import { systemPlatform } from '../../platform.ts';
import { type OpenServices, openServices } from '../../services.ts';
import { type ApiKeyOptions, apiKeyOf } from '../command/api-key.ts';
import { type Cli, type CommonOptions, configOf, defined, shopOf } from '../command/cli.ts';
import { operate } from '../command/operator.ts';
import { startProgress } from '../command/progress.ts';
import { type CatalogInput, openCatalog } from '../command/read-files.ts';

/** Results requested: the deepest cut-off of any metric. */
export const RANKING_MAX = 50;

/**
 * Time a question waits for its embedding: long, so that metrics do not depend on the machine's
 * load.
 */
const PATIENT_BUDGET_MS = 60_000;

/** Interval between counts of embedded items. */
const COUNT_EVERY_MS = 500;

/** The longest `Retry-After` that a rate-limited service may ask for. */
const RETRY_AFTER_MAX_S = 60;

/** A service that takes longer for one answer counts as unavailable. */
const ANSWER_MAX_MS = 60_000;

export interface AskOptions extends CommonOptions, ApiKeyOptions {
  /** Files and folders of a temporary catalogue. */
  readonly catalog?: readonly string[];
  /** Language of the temporary catalogue's shop. */
  readonly locale?: string;
  readonly url?: string;
  readonly skipScoring?: boolean;
}

/** The measured part of an answer. */
export interface Answer {
  /** External ids, best first. */
  readonly ranking: readonly string[];
  readonly scoring: string;
  /** Whether the answer itself says that its results may not match. */
  readonly lowConfidence: boolean;
  readonly tookMs: number;
}

/** Answers the questions that are measured. */
export interface Asker {
  /** Recorded in a saved run: what answered, and with which embedder if that is known. */
  readonly settings: Readonly<Record<string, unknown>>;
  ask(question: string): Promise<Answer>;
  close(): Promise<void>;
}

/** A temporary catalogue, a service at an address, or the data folder, in that order. */
export async function openAsker(cli: Cli, options: AskOptions): Promise<Asker> {
  const { catalog, url } = options;
  if (catalog !== undefined && url !== undefined) {
    throw new AppError('invalid_input', 'Give --catalog or --url, not both.');
  }
  if (catalog === undefined && options.locale !== undefined) {
    throw new AppError('invalid_input', 'Give --locale only with --catalog.');
  }
  if (catalog !== undefined) return openThrowAway(cli, options, catalog);
  return url === undefined ? openDataFolder(cli, options) : openService(cli, options, url);
}

/** Imports the catalogues into a temporary folder, embeds all of their items, and asks there. */
async function openThrowAway(
  cli: Cli,
  options: AskOptions,
  paths: readonly string[],
): Promise<Asker> {
  const inputs: { path: string; input: CatalogInput }[] = [];
  for (const path of paths) inputs.push({ path, input: await openCatalog(path) });
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-eval-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const thrownAway = { ...options, data: folder, databaseUrl: '' };
    const config = { ...patient(configOf(cli, thrownAway)), bootstrapOrg: '' };
    const platform = { ...systemPlatform('error'), newId: countedIds() };
    const services = await openServices({ config, platform, create: true, isAlone: true });
    const close = () => services.close().finally(remove);
    try {
      await runOperation(
        services,
        createOrganization,
        { name: 'Evaluation', currency: 'USD', ...defined({ locale: options.locale }) },
        SILENT,
      );
      for (const { path, input } of inputs) await importInto(cli, services, { path, input });
      await embedItems(cli, services);
    } catch (error) {
      await services.close();
      throw error;
    }
    return inProcess(services, {
      config,
      options: { skipScoring: options.skipScoring === true },
      close,
    });
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * The same ids in every run. Ranking breaks ties by id, so random ids would change the results of
 * an unchanged catalogue.
 */
function countedIds(): () => string {
  let count = 0;
  return () => `00000000-0000-7000-8000-${(++count).toString(16).padStart(12, '0')}`;
}

async function importInto(
  cli: Cli,
  services: OpenServices,
  { path, input }: { path: string; input: CatalogInput },
): Promise<void> {
  const progress = startProgress(cli);
  const follow = (event: ImportEvent) => {
    if ('fault' in event) return;
    const state = { done: input.readBytes(), total: input.sizeBytes, count: event.progress.new };
    progress.update({ ...state, stage: 'importing' });
  };
  const summary = await runOperation(
    services,
    importCatalog,
    { source: path, format: input.format.name, dryRun: false },
    {
      lines: jsonBlocks(
        withoutDuplicates(input.rows({ currency: 'USD', shopUrl: null, now: 0 })),
        LARGE_BLOCK_LENGTH,
      ),
      emit: (event) => follow(event as ImportEvent),
    },
  );
  progress.end();
  const rejected = summary.rejected === 0 ? '' : `, ${summary.rejected} rejected`;
  cli.note(`${path}: ${summary.new} imported${rejected}\n`);
}

async function embedItems(cli: Cli, services: OpenServices): Promise<void> {
  const { monotonicMs } = services.platform;
  const progress = startProgress(cli);
  let countedMs = monotonicMs();
  while (await embedNextDocuments(services, services.stopping)) {
    refuseIfStopped(cli);
    if (monotonicMs() - countedMs < COUNT_EVERY_MS) continue;
    countedMs = monotonicMs();
    const { embedded, offerings, contexts } = await runOperation(
      services,
      catalogStats,
      {},
      SILENT,
    );
    const state = { done: embedded, total: offerings + contexts, count: embedded };
    progress.update({ ...state, stage: 'indexing for search by meaning' });
  }
  progress.end();
}

/** The organization in the data folder, queried in this process or through the running service. */
async function openDataFolder(cli: Cli, options: AskOptions): Promise<Asker> {
  const config = patient(configOf(cli, options));
  const { embedded, offerings, contexts } = await operate(cli, options, catalogStats, {
    ...shopOf(options),
  });
  if (embedded < offerings + contexts) {
    cli.note(
      `Only ${embedded} of ${offerings + contexts} items are searchable by meaning so far.\n`,
    );
  }
  const asked = { ...shopOf(options), skipScoring: options.skipScoring === true };
  const services = await openServices({
    config,
    platform: systemPlatform('error'),
    create: false,
    isAlone: true,
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'already_running') return null;
    throw error;
  });
  if (services !== null) {
    return inProcess(services, { config, options: asked, close: () => services.close() });
  }
  return {
    settings: { answeredBy: 'running service' },
    ask: (question) =>
      timed(cli.clock.monotonicMs, () =>
        operate(cli, options, searchForOperator, searchInput(question, asked)),
      ),
    close: async () => undefined,
  };
}

interface InProcess {
  readonly config: Config;
  readonly options: Scope & { readonly skipScoring: boolean };
  close(): Promise<void>;
}

interface Scope {
  readonly organization?: string;
  readonly shop?: string;
}

async function inProcess(
  services: OpenServices,
  { config, options, close }: InProcess,
): Promise<Asker> {
  // Loads the model, so that its loading time does not count towards the first question.
  await services.embeddings.questionVector('warm-up');
  const { embedder, embedderModel } = config.spelled;
  return {
    settings: {
      answeredBy: 'this process',
      embedder: services.embeddings.isOn ? embedder : 'off',
      ...(embedder === 'endpoint' ? { embedderModel } : {}),
    },
    ask: (question) =>
      timed(services.platform.monotonicMs, () =>
        runOperation(services, searchForOperator, searchInput(question, options), SILENT),
      ),
    close,
  };
}

function searchInput(question: string, options: InProcess['options']) {
  return { ...options, question, productsOnly: false, limit: RANKING_MAX };
}

async function timed(
  monotonicMs: () => number,
  search: () => Promise<OperatorSearch & { lowConfidence?: boolean }>,
): Promise<Answer> {
  const startedMs = monotonicMs();
  const { results, scoring, lowConfidence } = await search();
  return {
    ranking: results.map(({ externalId }) => externalId),
    scoring,
    lowConfidence: lowConfidence === true,
    tookMs: monotonicMs() - startedMs,
  };
}

/** The measured part of a REST v3 answer. */
const AnswerV3 = Type.Object({
  results: Type.Array(Type.Object({ externalId: Type.String() })),
  scoring: Type.String(),
  meta: Type.Object({ lowConfidence: Type.Optional(Type.Boolean()) }),
});

/** The problem details of a refused request. */
const Problem = Type.Object({ detail: Type.String() });

/** A service queried over REST v3, on any machine. */
function openService(cli: Cli, options: AskOptions, url: string): Asker {
  const apiKey = apiKeyOf(cli, options);
  if (apiKey === null)
    throw new AppError(
      'invalid_input',
      '--url needs VITRINE_API_KEY, --api-key-file or --api-key.',
    );
  if (!URL.canParse('/rest/search/v3/', url)) {
    throw new AppError('invalid_input', `${url} is not an address such as http://127.0.0.1:8787.`);
  }
  return {
    settings: { answeredBy: url },
    async ask(question) {
      const address = new URL('/rest/search/v3/', url);
      address.searchParams.set('q', question);
      address.searchParams.set('limit', String(RANKING_MAX));
      if (options.skipScoring === true) address.searchParams.set('skip_scoring', 'true');
      if (options.shop !== undefined) address.searchParams.set('shop_id', options.shop);
      return askService(cli, address, apiKey);
    },
    close: async () => undefined,
  };
}

async function askService(cli: Cli, address: URL, apiKey: string): Promise<Answer> {
  for (;;) {
    const startedMs = cli.clock.monotonicMs();
    const signal = AbortSignal.any([cli.stop, AbortSignal.timeout(ANSWER_MAX_MS)]);
    const response = await fetch(address, { headers: { 'X-API-Key': apiKey }, signal }).catch(
      (cause: unknown) => {
        throw new AppError('unavailable', `${address.origin} does not answer.`, { cause });
      },
    );
    const body: unknown = await response.json().catch(() => null);
    const tookMs = cli.clock.monotonicMs() - startedMs;
    if (response.status === 429) {
      await waitAsAsked(cli, response);
      continue;
    }
    if (!response.ok || !Check(AnswerV3, body)) throw refusal(address, response.status, body);
    const { results, scoring, meta } = body;
    const ranking = results.map(({ externalId }) => externalId);
    return { ranking, scoring, lowConfidence: meta.lowConfidence === true, tookMs };
  }
}

function refusal({ origin }: URL, status: number, body: unknown): AppError {
  const code = status === 401 || status === 403 ? 'unauthorized' : 'unavailable';
  const reason = Check(Problem, body) ? ` (${body.detail})` : '';
  return new AppError(code, `${origin} answered ${status} instead of a search result${reason}.`);
}

async function waitAsAsked(cli: Cli, { headers }: Response): Promise<void> {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  const waitSeconds = seconds >= 0 ? Math.min(seconds, RETRY_AFTER_MAX_S) : 1;
  await cli.clock.sleep(waitSeconds * 1000, cli.stop);
  refuseIfStopped(cli);
}

/** Throws `unavailable` once the process has been asked to stop. */
export function refuseIfStopped({ stop }: Cli): void {
  if (stop.aborted) throw new AppError('unavailable', 'Stopped: nothing was measured.');
}

function patient(config: Config): Config {
  return { ...config, embedderBudgetMs: PATIENT_BUDGET_MS };
}
