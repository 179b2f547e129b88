import { afterAll, beforeAll } from 'bun:test';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SILENT } from '../../src/operations/define-operation.ts';
import type { CatalogStats } from '../../src/operations/imports/catalog-stats.ts';
import type { ImportSummary } from '../../src/operations/imports/import-catalog.ts';
import type { OrganizationView } from '../../src/operations/tenants/organizations.ts';
import { callOperator } from '../../src/operator/operator-client.ts';
import { socketPath } from '../../src/operator/socket-path.ts';
import { CATALOG, jsonLines } from './catalog.ts';
import { vitrineJson } from './command-line.ts';
import { startLibsqlServer } from './libsql-server.ts';
import { BINARY_COMMAND, SOURCE_COMMAND, serve } from './processes.ts';
import { startServerBinary } from './server-binary.ts';
import {
  createOperator,
  type Errand,
  type Service,
  type ServiceOptions,
  withKey,
} from './service.ts';
import { StandInModel, serveModel } from './stand-in-embedder.ts';
import { startService } from './start-service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * How long a search waits for the stand-in model, longer than any machine makes it wait for a model that
 * answers. In a separate process this is real time.
 */
const EMBEDDER_BUDGET_MS = 30_000;

/** Where the same test runs: directly on the handler, and in a process (the binary if there is one, else the source). */
export interface Target {
  readonly name: string;
  start(options?: ServiceOptions): Promise<Service>;
}

const handler: Target = { name: 'handler', start: (options) => startLocal(options) };

/** `1`: the stand-in for a libSQL server; anything else names the binary of a real one. */
const SERVER = process.env['VITRINE_TEST_SERVER'];

/** A target with its data on its own libSQL server. */
const onServer: Target = {
  name: 'handler on a libSQL server',
  async start({ flags = {} } = {}) {
    const { path, remove } = temporaryFolder();
    const server =
      SERVER === undefined || SERVER === '1'
        ? await startLibsqlServer({ path: join(path, 'server.db') })
        : await startServerBinary(SERVER, path);
    const service = await startLocal({ flags: { ...flags, 'database-url': server.url } });
    return {
      ...service,
      async close() {
        await service.close();
        await server.close();
        remove();
      },
    };
  },
};

export const TARGETS: readonly Target[] = [
  handler,
  ...(SERVER === undefined ? [] : [onServer]),
  BINARY_COMMAND === null
    ? processTarget('bun src/main.ts serve', SOURCE_COMMAND)
    : processTarget('binary', BINARY_COMMAND),
];

if (SERVER === undefined) {
  process.stderr.write(
    'skipped: HTTP tests on a libSQL server (VITRINE_TEST_SERVER asks for it)\n',
  );
}
if (BINARY_COMMAND === null) {
  process.stderr.write('skipped: HTTP tests against the binary (VITRINE_TEST_BINARY names none)\n');
}

/** A service with the sample catalogue for the tests of one `describe`, closed after the last of them. */
export function useService(target: Target, options: ServiceOptions = {}): () => Service {
  let service: Service | undefined;
  // The first target makes the data folder, and the others get copies of it.
  beforeAll(async () => {
    service = await target.start(options);
  }, 60_000);
  afterAll(async () => {
    await service?.close();
  });
  return () => service!;
}

async function startLocal({ flags = {} }: ServiceOptions = {}): Promise<Service> {
  const budget = { 'embedder-budget-ms': String(EMBEDDER_BUDGET_MS) };
  const service = await startService({
    flags: { ...budget, ...flags },
    ...(flags['embedder'] === 'off' && { embedder: null }),
  });
  await service.operator.importRows(CATALOG);
  await service.embedAll();
  return service;
}

interface Template {
  readonly folder: string;
  readonly apiKey: string;
  readonly organization: OrganizationView;
}

/** Its operator's commands run in this process, and reach it over its socket all the same. */
function processTarget(name: string, command: readonly string[]): Target {
  let template: Promise<Template> | undefined;
  return {
    name,
    async start(options) {
      template ??= makeTemplate();
      return startProcess(command, await template, options);
    },
  };
}

/** A data folder with the sample catalogue, made by the command line once; each service gets a copy. */
async function makeTemplate(): Promise<Template> {
  const { path, remove } = temporaryFolder();
  process.once('exit', remove);
  const folder = join(path, 'data');
  const vitrine = <Result>(...args: string[]) => vitrineJson<Result>(...args, '--data', folder);
  const initialized = await vitrine<Omit<Template, 'folder'>>(
    'init',
    '--org',
    'Acme',
    '--currency',
    'EUR',
  );
  await vitrine('org', 'set', '--unlimited');
  const file = join(path, 'catalog.jsonl');
  writeFileSync(file, jsonLines(CATALOG));
  await vitrine('catalog', 'import', file);
  return { folder, ...initialized };
}

async function startProcess(
  command: readonly string[],
  { folder: templateFolder, apiKey, organization }: Template,
  { flags = {} }: ServiceOptions = {},
): Promise<Service> {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, 'data');
  cpSync(templateFolder, folder, {
    recursive: true,
    filter: (path) => !path.endsWith('.lock') && !path.endsWith('.sock'),
  });
  const model = new StandInModel();
  const endpoint = await serveModel(model);
  const settings = {
    embedder: 'endpoint',
    'embedder-url': endpoint.url,
    'embedder-model': 'stand-in',
    'embedder-budget-ms': String(EMBEDDER_BUDGET_MS),
    ...flags,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const serving = await serve(command, ['--data', folder, ...args]);
  const asStranger = (path: string, init?: RequestInit) => fetch(serving.url + path, init);
  const vitrine = <Result>(args: readonly string[]) =>
    vitrineJson<Result>(...args, '--data', folder);
  const ask = (operation: string, input: object) =>
    callOperator(socketPath(folder), operation, input, SILENT);
  const embedAll = async () => {
    for (const { slug } of (await ask('org.list', {})) as OrganizationView[]) {
      for (;;) {
        const stats = (await ask('catalog.stats', { organization: slug })) as CatalogStats;
        if (stats.embedded === stats.offerings + stats.contexts) break;
        await delay(10);
      }
    }
  };
  if (settings.embedder !== 'off') {
    await embedAll();
    // No search waits for the model until it has embedded something.
    while (!(await isWarm(asStranger, apiKey))) await delay(5);
  }
  let fileCount = 0;
  return {
    organization,
    shop: organization.shops[0]!,
    apiKey,
    model,
    url: serving.url,
    operatorUrl: serving.operatorUrl,
    fetch: withKey(asStranger, apiKey),
    as: (key) => withKey(asStranger, key),
    asStranger,
    elapse: (ms) => delay(ms),
    embedAll,
    operator: createOperator(
      organization.slug,
      ({ command: words, organization: named }: Errand) =>
        vitrine([...words, ...(named === undefined ? [] : ['--org', named])]),
      async (rows, { organization: named, shop }) => {
        const file = join(temporary.path, `rows-${++fileCount}.jsonl`);
        writeFileSync(file, jsonLines(rows));
        const place = ['--org', named, ...(shop === undefined ? [] : ['--shop', shop])];
        return vitrine<ImportSummary>(['catalog', 'import', file, ...place]);
      },
    ),
    logged: serving.stderr,
    async close() {
      model.condition = 'well';
      await serving.stop();
      endpoint.close();
      temporary.remove();
    },
  };
}

async function isWarm(fetch: Service['asStranger'], apiKey: string): Promise<boolean> {
  const response = await withKey(fetch, apiKey)('/rest/search/v3/?q=warm');
  return ((await response.json()) as { scoring: string }).scoring === 'local';
}
