/*
 * The architecture, as tables that tests/tidy.test.ts enforces on the source. Every exception has a
 * reason, and an exception that is no longer needed fails the test too.
 */

/**
 * Each room of src/ and what it may import; a room may always import itself. A room is a file or a folder
 * directly under src/, or a folder inside one, named by its path. A folder's own files do not include
 * the files of the rooms inside it. No import points upwards.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'cli/command', 'platform'],

  // One file per command; program.ts joins them. Commands with several files have a room.
  cli: [
    ...['cli/catalog', 'cli/command', 'cli/eval', 'cli/hits', 'cli/machine', 'http', 'mcp'],
    ...['operator', 'services', 'operations', 'operations/assistants', 'operations/imports'],
    ...['operations/landing', 'operations/search', 'operations/tenants', 'catalog'],
    ...['catalog/record', 'http/exchange', 'http/mcp', 'assets', 'config', 'platform', 'domain'],
  ],
  'cli/eval': [
    ...[
      'cli/catalog',
      'cli/command',
      'http/search',
      'services',
      'operations',
      'operations/imports',
    ],
    ...['operations/search', 'operations/tenants', 'catalog/bytes', 'catalog/record', 'config'],
    ...['platform', 'domain'],
  ],
  'cli/hits': [
    ...['cli/catalog', 'cli/command', 'operations/hits', 'catalog/bytes', 'assets', 'domain'],
  ],
  'cli/machine': [
    ...['cli/command', 'operator', 'services', 'operations/offerings', 'operations/search'],
    ...['operations/tenants', 'operations/upkeep', 'config', 'platform', 'domain'],
  ],
  'cli/catalog': [
    ...['cli/command', 'operations', 'operations/imports', 'operations/tenants'],
    ...['catalog', 'catalog/record', 'domain'],
  ],
  // What all commands share: options, output, the connection to a running service.
  'cli/command': [
    ...['operator', 'services', 'operations', 'catalog', 'catalog/bytes', 'catalog/record'],
    ...['config', 'platform', 'domain'],
  ],

  // Joins the rooms of routes into the public listener's app.
  http: [
    ...['http/hits', 'http/mcp', 'http/search', 'http/exchange', 'mcp', 'operations/landing'],
    ...['operations/tenants', 'metrics', 'trace-context', 'assets', 'platform', 'domain'],
  ],
  'http/search': ['http/exchange', 'domain', 'operations/search'],
  'http/hits': ['http/exchange', 'domain', 'operations/hits', 'operations/tenants', 'schema'],
  'http/mcp': ['http/exchange', 'domain', 'mcp', 'operations/assistants', 'operations/tenants'],
  // How a request is handled: what all rooms of routes share.
  'http/exchange': [
    ...['mcp', 'operations/hits', 'operations/tenants', 'operations/upkeep', 'rate-limit'],
    ...['metrics', 'schema', 'platform', 'domain'],
  ],
  // An assistant on this machine talks over the operator's socket.
  operator: [
    ...['mcp', 'operations', 'operations/assistants', 'operations/hits', 'operations/imports'],
    ...['operations/landing', 'operations/search', 'operations/tenants', 'operations/upkeep'],
    ...['assets', 'platform', 'domain'],
  ],
  mcp: [
    ...['mcp/resources', 'mcp/tools', 'operations', 'operations/assistants', 'operations/hits'],
    ...['operations/imports', 'operations/search', 'operations/tenants', 'schema', 'domain'],
  ],
  'mcp/tools': [
    'mcp',
    'mcp/resources',
    'operations/offerings',
    'operations/search',
    'schema',
    'domain',
  ],
  'mcp/resources': ['mcp', 'operations/landing', 'operations/offerings', 'assets', 'domain'],

  // What runs beside requests.
  background: [
    ...['operations/assistants', 'operations/hits', 'operations/imports', 'operations/instances'],
    ...['operations/landing', 'operations/search', 'operations/tenants', 'operations/upkeep'],
    'worker',
  ],
  services: [
    'background',
    ...['operations', 'operations/hits'],
    ...['operations/instances', 'operations/landing', 'operations/search', 'operations/tenants'],
    ...['operations/upkeep', 'directory', 'storage', 'storage/engine', 'models', 'rate-limit'],
    ...['metrics', 'config', 'platform', 'domain'],
  ],

  // Maintains and monitors all other rooms, so it imports them.
  'operations/upkeep': [
    ...['operations', 'operations/assistants', 'operations/hits', 'operations/imports'],
    ...['operations/instances', 'operations/landing', 'operations/search', 'operations/tenants'],
    ...[
      'search/index',
      'storage',
      'storage/catalog',
      'storage/engine',
      'metrics',
      'platform',
      'domain',
    ],
  ],
  'operations/imports': [
    ...['operations', 'operations/search', 'operations/tenants', 'catalog', 'catalog/bytes'],
    ...['catalog/record', 'search/index', 'storage', 'storage/catalog', 'storage/engine', 'web'],
    'domain',
  ],
  'operations/assistants': [
    ...['operations', 'operations/landing', 'operations/tenants', 'storage', 'domain'],
  ],
  'operations/search': [
    ...['operations', 'operations/instances', 'operations/tenants', 'search/index', 'search/query'],
    ...['search/ranking', 'search/results', 'search/text', 'search/tuning', 'directory'],
    'storage/catalog',
    ...['storage/engine', 'models', 'platform', 'domain'],
  ],
  'operations/landing': [
    ...['operations', 'operations/instances', 'operations/offerings', 'operations/tenants'],
    ...[
      'landing',
      'directory',
      'storage',
      'storage/catalog',
      'storage/engine',
      'models',
      'platform',
      'domain',
    ],
  ],
  'operations/hits': [
    ...['operations', 'operations/tenants', 'storage', 'storage/engine', 'rate-limit', 'platform'],
    'domain',
  ],
  'operations/tenants': [
    ...['operations', 'operations/instances', 'operations/offerings', 'storage'],
    ...['storage/catalog', 'storage/engine', 'rate-limit', 'platform', 'domain'],
  ],
  'operations/offerings': [
    'operations',
    'search/query',
    'search/results',
    'storage/catalog',
    'domain',
  ],
  'operations/instances': ['operations', 'storage', 'storage/engine', 'platform', 'domain'],
  // What an operation is, and the services that every room needs.
  operations: ['directory', 'storage', 'storage/engine', 'platform', 'domain'],

  directory: ['storage', 'storage/engine', 'domain'],
  storage: ['storage/engine', 'domain'],
  'storage/catalog': ['storage/engine', 'domain'],
  'storage/engine': ['storage/engine/migrations', 'domain'],
  'storage/engine/migrations': [],

  // Pure: bytes → records and their faults.
  catalog: [
    ...['catalog/feeds', 'catalog/own', 'catalog/shopify', 'catalog/web-page', 'catalog/woo'],
    ...['catalog/bytes', 'catalog/record', 'domain'],
  ],
  'catalog/feeds': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/own': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/shopify': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/web-page': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/woo': ['catalog/feeds', 'catalog/bytes', 'catalog/record', 'domain'],
  'catalog/bytes': ['catalog/record', 'domain'],
  'catalog/record': ['domain'],

  // Pure: question and documents → matches, their order, and why.
  'search/results': ['search/index', 'search/query', 'search/text', 'search/tuning', 'domain'],
  'search/index': ['search/ranking', 'search/query', 'search/text', 'search/tuning', 'domain'],
  'search/ranking': ['search/query', 'search/text', 'search/tuning', 'domain'],
  'search/query': ['search/text', 'search/tuning', 'domain'],
  'search/tuning': ['domain'],
  'search/text': [],

  // Pure: the contents of a catalogue → a page.
  landing: ['domain'],
  web: ['domain'],
  'rate-limit': ['domain'],
  models: ['trace-context', 'domain'],
  worker: ['platform'],
  // Reads external values according to a TypeBox schema.
  schema: ['domain'],
  assets: ['domain'],
  metrics: [],
  'trace-context': [],
  config: [],
  platform: [],
  domain: [],
};

/** Folders whose own files join the rooms inside them, and are imported by those rooms too. */
export const JOINED_BY_THEIR_FOLDER: Readonly<Record<string, string>> = {
  mcp: 'methods.ts lists the tools and the resources, which share the types of a conversation',
};

/** Each library and where it lives, so that replacing one touches one part. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  elysia: ['http'],
  '@elysiajs/cors': ['http'],
  '@modelcontextprotocol/sdk': ['mcp'],
  'drizzle-orm': ['storage'],
  '@libsql/client': ['storage'],
  '@libsql/hrana-client': ['storage'],
  // main.ts distinguishes a wrong command line from a failed command.
  commander: ['cli', 'main'],
  'smol-toml': ['cli'],
  'csv-parse': ['catalog'],
  saxes: ['catalog'],
  yaml: ['catalog'],
  'html-to-text': ['catalog'],
  'mdast-util-from-markdown': ['landing'],
  htmlparser2: ['catalog'],
  'ipaddr.js': ['web'],
  'crawler-user-agents': ['domain'],
  'onnxruntime-node': ['models'],
  'onnxruntime-web': ['models'],
  uuid: ['platform', 'domain'],
  // The shared language of schemas.
  typebox: [...new Set(Object.keys(MAY_IMPORT).map((room) => room.split('/')[0]!))],
};

interface Door {
  readonly name: string;
  readonly pattern: RegExp;
  /** Files that may use it, with the reason. */
  readonly allowed: Readonly<Record<string, string>>;
}

const RUNS_ELSEWHERE = 'source of a worker that runs at the edge';

/** One door to each part of the outside world, so that tests control it and only commands print to stdout. */
export const DOORS: readonly Door[] = [
  {
    name: 'the process: environment, arguments, exit, streams, signals',
    pattern: /\bprocess\.(?!(?:platform|arch|dlopen)\b)\w+/,
    allowed: {
      'src/main.ts': 'reads and writes them for all other files',
      'src/platform.ts': 'log lines go to stderr',
    },
  },
  {
    name: 'clock and timers',
    pattern:
      /\bDate\.now\b|\bperformance\.now\b|\bset(?:Timeout|Interval|Immediate)\b|\bnew Date\(\)|\bAbortSignal\.timeout\b|\bnode:timers\b/,
    allowed: {
      'src/platform.ts': 'provides the clock to all other files',
      'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
      'src/cli/eval/eval-askers.ts': 'gives up on a request',
      'src/cli/ready.ts': 'gives up on a service that does not answer',
      'src/cli/mcp.ts': 'gives up on a server that does not answer',
      'src/models/remote-embedder.ts': 'gives up on a request',
      'src/web/download.ts': 'gives up on a request',
      'src/web/download-budget.ts': 'gives up on a download',
      'src/models/chat-endpoint.ts': 'gives up on a request',
      'src/storage/engine/server-client.ts': 'gives up on a request',
    },
  },
  {
    name: 'randomness',
    pattern: /\bMath\.random\b|\brandom(?:UUID|Int|Fill\w*)\b|\bimport\b[^;]*\brandomBytes\b/,
    allowed: {
      'src/platform.ts': 'makes ids and secrets for all other files',
      'src/models/unpack.ts': 'names a temporary file',
      'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
    },
  },
  {
    name: 'Bun and Deno themselves',
    pattern: /\bBun\.|\bDeno\b|'bun(?::|')/,
    allowed: {
      'src/platform.ts': 'opens a listener with the runtime’s own server',
      'src/domain/agent.ts': 'knows the user agents of both',
    },
  },
  {
    name: 'the console',
    pattern: /\bconsole\./,
    allowed: { 'src/assets/edge-worker.ts': RUNS_ELSEWHERE },
  },
];

/** The files that may catch errors, with what each does with them. All other files let errors propagate. */
export const CATCHES: Readonly<Record<string, string>> = {
  'src/main.ts': 'turns it into a message and an exit code',
  'src/worker.ts': 'logs it and tries again later',
  'src/platform.ts': 'treats an aborted sleep as ended; probes for exhausted file descriptors',
  'src/config.ts': 'collects every fault of a configuration',
  'src/services.ts': 'releases the lock after a failed start',
  'src/http/mcp/mcp-wire.ts': 'charges for a body that cannot be read',
  'src/http/exchange/route-schema.ts': 'names bytes that are not UTF-8',
  'src/http/exchange/body.ts': 'names bytes that are not UTF-8, and text that is not JSON',
  'src/operator/operator-server.ts': 'answers it',
  'src/operator/operator-listener.ts': 'answers it',
  'src/operator/admin.ts': 'answers it',
  'src/operator/operator-client.ts': 'reports a refused connection, which fails twice, only once',
  'src/mcp/server.ts': 'answers it',
  'src/mcp/check.ts': 'reports which step failed, and continues',
  'src/operations/imports/import-catalog.ts': 'records the failed import and passes it on',
  'src/operations/upkeep/back-up-database.ts':
    'distinguishes a folder in use by another process from a bug',
  'src/operations/upkeep/examine-records.ts': 'looks for bytes that are not UTF-8',
  'src/operations/upkeep/page-check.ts':
    'keeps damage that the check finds while no caller is waiting',
  'src/operations/upkeep/readiness.ts': 'reports a refused write as its result',
  'src/operations/tenants/organizations.ts': 'names a wrong language tag',
  'src/operations/imports/prepare-rows-worker.ts': 'sends it out of the thread',
  'src/operations/imports/row-preparer.ts': 'passes it only to the caller that waits for the row',
  'src/operations/search/embeddings.ts': 'searches by words alone when the embedder fails',
  'src/operations/landing/introductions.ts': 'falls back to a fixed sentence on the page',
  'src/operations/landing/landing-pages.ts': 'records why a page could not be built',
  'src/operations/instances/mutex.ts': 'continues with the next task',
  'src/operations/search/score-candidates.ts': 'continues the search without the language model',
  'src/operations/imports/open-catalog-url.ts': 'omits optional files that a shop does not have',
  'src/operations/imports/source-refreshes.ts': 'keeps the failure with the source',
  'src/catalog/bytes/encoding.ts': 'names an unknown encoding',
  'src/catalog/bytes/decompress.ts': 'names a damaged archive',
  'src/catalog/bytes/json-text.ts': 'reports an invalid line as a fault',
  'src/catalog/own/markdown-contexts.ts': 'reports invalid front matter as a fault',
  'src/directory.ts': 'continues with the next load',
  'src/operations/instances/lease.ts': 'lets a lease expire while the server is unreachable',
  'src/operations/upkeep/follow-instances.ts':
    'continues with the data in memory while the server is unreachable',
  'src/storage/engine/checkpoints.ts': 'leaves what one checkpoint cannot move to a later one',
  'src/storage/engine/connection.ts': 'counts a failed write and continues with the next one',
  'src/storage/engine/server-client.ts': 'replaces a stream that the server has closed',
  'src/storage/engine/server-database.ts': 'distinguishes an unreachable server from a bug',
  'src/storage/engine/database.ts': 'distinguishes a full disk and a damaged file from a bug',
  'src/storage/engine/answer-limit.ts': 'splits a read that is too large for one answer',
  'src/storage/engine/backups.ts': 'treats a manifest that is not JSON as missing',
  'src/storage/engine/content.ts': 'distinguishes a damaged file from a bug',
  'src/storage/engine/files.ts': 'names another user’s folder that everyone can read',
  'src/storage/engine/lock.ts': 'distinguishes a held lock from a bug',
  'src/storage/engine/texts.ts': 'counts a text that is not UTF-8, and reads it anyway',
  'src/storage/audit-log.ts': 'shows damaged details as they are stored',
  'src/web/download.ts': 'names a damaged response',
  'src/models/chat-endpoint.ts':
    'retries with another request form, and reports all failures as one fault',
  'src/models/endpoint.ts': 'treats a response that is not JSON as missing',
  'src/models/inference.ts': 'falls back to the next runtime',
  'src/models/native-session.ts': 'falls back to the next folder',
  'src/models/unpack.ts': 'accepts a file that already exists',
  'src/models/local-embedder-worker.ts': 'sends it out of the thread',
  'src/models/remote-embedder.ts': 'counts it for the breaker',
  'src/models/remote-scorer.ts': 'names a message that is not JSON',
  'src/cli/command/cli.ts': 'names the fault in vitrine.toml',
  'src/cli/ready.ts': 'reports a service that does not answer as not ready',
  'src/cli/command/read-files.ts': 'reports a missing file',
  'src/cli/mcp-stdio.ts': 'answers a line that is not JSON with an error',
  'src/cli/command/operator.ts': 'runs the command in its own process if no service listens',
  'src/cli/catalog/catalog-export.ts': 'leaves a disk failure between writes to the next write',
  'src/cli/serve.ts': 'continues without the operator’s listener if its address is the default',
  'src/cli/machine/doctor.ts': 'reports it as a line',
  'src/cli/machine/machine-checks.ts':
    'looks for a port in use and for a folder where no program can run',
  'src/cli/demo.ts': 'takes another port if the usual one is in use',
  'src/cli/eval/eval-askers.ts': 'cleans up a failed evaluation and passes it on',
  'src/cli/eval/eval-files.ts': 'names the invalid line of a file',
  'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
};

export const LINES_MAX = 400;

export const FOLDER_FILES_MAX = 25;

/** Files that hold only one long table. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'src/assets/sample-pictures.ts': 'drawings, one small function each',
};

export const FUNCTION_LINES_MAX = 70;
