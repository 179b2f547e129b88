import { formatNamed } from '../../src/catalog/formats.ts';
import { withoutDuplicates } from '../../src/catalog/record/duplicates.ts';
import { hostRulesOf } from '../../src/cli/serve.ts';
import { dataFiles, readConfig } from '../../src/config.ts';
import { createHandler } from '../../src/http/app.ts';
import { trustProxies } from '../../src/http/exchange/client-address.ts';
import type { Embedder } from '../../src/models/embedder.ts';
import { type Exchange, SILENT } from '../../src/operations/define-operation.ts';
import type { ExportEvent } from '../../src/operations/imports/export-catalog.ts';
import { type ImportSummary, importCatalog } from '../../src/operations/imports/import-catalog.ts';
import { jsonBlocks } from '../../src/operations/imports/json-blocks.ts';
import type { OpenFormer } from '../../src/operations/indexes/embeddings.ts';
import { runOperation } from '../../src/operations/run-operation.ts';
import { embedNextDocuments } from '../../src/operations/search/embed-next-documents.ts';
import type { FetchDocument } from '../../src/operations/sign-in/client-documents.ts';
import type { CreatedApiKey } from '../../src/operations/tenants/api-keys.ts';
import type { OrganizationView } from '../../src/operations/tenants/organizations.ts';
import { OPERATIONS } from '../../src/operator/operation-table.ts';
import { type OpenServices, openServices } from '../../src/services.ts';
import { jsonLines } from './catalog.ts';
import { type FakePlatform, fakePlatform } from './fake-platform.ts';
import { copyNewDatabase } from './new-database.ts';
import { createOperator, type Service, type ServiceOptions, withKey } from './service.ts';
import { embedderOf, StandInModel } from './stand-in-embedder.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface LocalServiceOptions extends ServiceOptions {
  /** Replaces the stand-in model; null searches by words only. */
  readonly embedder?: Embedder | null;
  /** Replaces how models are opened that were in use before. */
  readonly openFormer?: OpenFormer;
  readonly platform?: FakePlatform;
  /** An existing data folder, which is kept when the service is closed. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Replaces the Internet, where OAuth clients publish documents about themselves. */
  readonly fetchDocument?: FetchDocument;
}

/** A service in this process. Only the outside world is replaced. */
export interface LocalService extends Service {
  readonly services: OpenServices;
  readonly platform: FakePlatform;
  readonly folder: string;
  /** Removes the folder of a service that was closed by its `services`, to be opened again. */
  discard(): void;
  /** Runs an operation, with the same checks as one that arrives over the socket. */
  perform<Result>(
    operation: string,
    input: Record<string, unknown>,
    emit?: Exchange['emit'],
  ): Promise<Result>;
  /** The output of `catalog export`. */
  exportText(shop?: string): Promise<string>;
  /** Imports text in vitrine's own JSON Lines format, or in `format`. */
  importText(
    text: string | AsyncIterable<string>,
    options?: ImportTextOptions,
  ): Promise<ImportSummary>;
}

export interface ImportTextOptions {
  readonly format?: string;
  readonly organization?: string;
  readonly shop?: string;
  readonly dryRun?: boolean;
  readonly full?: boolean;
  readonly allowShrink?: boolean;
  readonly strict?: boolean;
}

const LOOPBACK = { address: () => '127.0.0.1', keepOpen: () => undefined };

/** The real service on its own folder, called directly through its handler. */
export async function startService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const temporary = options.folder === undefined ? temporaryFolder() : null;
  const folder = options.folder ?? temporary!.path;
  const platform = options.platform ?? fakePlatform();
  const model = new StandInModel();
  const flags = Object.fromEntries(
    Object.entries(options.flags ?? {}).map(([name, value]) => [camelCase(name), value]),
  );
  const config = readConfig({
    dataFolder: folder,
    flags,
    environment: options.environment ?? {},
    file: {},
  });
  if (temporary !== null) await copyNewDatabase(dataFiles(folder).database);
  const embedder = options.embedder === undefined ? embedderOf(model) : options.embedder;
  const { fetchDocument, openFormer } = options;
  const services = await openServices({
    ...{ config, platform, create: true, embedder },
    ...(fetchDocument && { fetchDocument }),
    ...(openFormer && { openFormer }),
  }).catch((error) => {
    temporary?.remove();
    throw error;
  });
  let handler: ReturnType<typeof createHandler> | null = null;
  // Made for the first request: it takes a third of the time that a start takes.
  const handle = (request: Request) => {
    handler ??= createHandler({
      services,
      hostRules: hostRulesOf(config),
      trustedProxies: trustProxies(config.trustedProxies),
    });
    return handler(request, LOOPBACK);
  };
  const perform = async <Result>(
    name: string,
    input: Record<string, unknown>,
    emit: Exchange['emit'] = () => undefined,
  ) => {
    const exchange = { ...SILENT, emit };
    return (await runOperation(services, OPERATIONS.get(name)!, input, exchange)) as Result;
  };
  const importText = (text: string | AsyncIterable<string>, target: ImportTextOptions = {}) => {
    const { format = 'json-lines', dryRun = false, ...place } = target;
    const source = { name: 'catalog.jsonl', bytes: toBytes(text) };
    const rows = formatNamed(format)!.read(source, { currency: 'EUR', shopUrl: null, now: 0 });
    const input = { organization: slug, ...place, source: source.name, format, dryRun };
    const exchange = { lines: jsonBlocks(withoutDuplicates(rows)), emit: () => undefined };
    return runOperation(services, importCatalog, input, exchange);
  };
  if (services.directory.organizations().length === 0) {
    await perform('org.create', { name: 'Acme', currency: 'EUR' });
    await perform('org.set', { unlimited: true });
  }
  const [organization] = await perform<OrganizationView[]>('org.list', {});
  const { slug, shops } = organization!;
  const { apiKey } = await perform<CreatedApiKey>('key.create', { organization: slug });
  const asStranger = async (path: string, init?: RequestInit) =>
    handle(new Request(`http://localhost${path}`, init));
  return {
    organization: organization!,
    shop: shops[0]!,
    apiKey,
    model,
    url: null,
    operatorUrl: null,
    services,
    platform,
    folder,
    fetch: withKey(asStranger, apiKey),
    as: (key) => withKey(asStranger, key),
    asStranger,
    elapse: async (ms) => platform.advance(ms),
    async embedAll() {
      while (await embedNextDocuments(services, new AbortController().signal));
    },
    perform,
    async exportText(shop) {
      let text = '';
      const place = { organization: slug, ...(shop !== undefined && { shop }) };
      await perform('catalog.export', place, (event) => {
        text += (event as ExportEvent).lines;
      });
      return text;
    },
    importText,
    operator: createOperator(
      slug,
      ({ operation, input, organization: named }) =>
        perform(operation, { ...input, ...(named && { organization: named }) }),
      (rows, place) => importText(jsonLines(rows), place),
    ),
    logged: () => platform.logged.map((line) => `${JSON.stringify(line)}\n`).join(''),
    async close() {
      await services.close();
      temporary?.remove();
    },
    discard: () => temporary?.remove(),
  };
}

async function* toBytes(text: string | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (typeof text === 'string') yield encoder.encode(text);
  else for await (const part of text) yield encoder.encode(part);
}

/** `trusted-proxies` → `trustedProxies`. */
function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
