/*
 * The architecture, as tables that tests/tidy.test.ts holds the source to. A list of exceptions gives a
 * reason for each, and an exception that is no longer needed is a fault too.
 */

/**
 * Each room of src/ and what it may import; a room may always import itself. A room is a file or a folder
 * right under src/, or a folder inside one, named by its path; a folder's own files do not include those
 * of the rooms inside it. Nothing points upwards.
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
  // What every command shares: options, output, the way to a running service.
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
  // A request on its way: what every room of routes shares.
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

  // Looks after all the others, and so knows them.
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

  // Pure: bytes → records and what is wrong with them.
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

  // Pure: question and documents → what fits, in which order, and why.
  'search/results': ['search/index', 'search/query', 'search/text', 'search/tuning', 'domain'],
  'search/index': ['search/ranking', 'search/query', 'search/text', 'search/tuning', 'domain'],
  'search/ranking': ['search/query', 'search/text', 'search/tuning', 'domain'],
  'search/query': ['search/text', 'search/tuning', 'domain'],
  'search/tuning': ['domain'],
  'search/text': [],

  // Pure: what a catalogue holds → a page.
  landing: ['domain'],
  web: ['domain'],
  'rate-limit': ['domain'],
  models: ['trace-context', 'domain'],
  worker: ['platform'],
  // Values from outside, read as a TypeBox schema describes them.
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
  mcp: 'methods.ts lists the tools and the resources, which share what a conversation is',
};

/** Each library and where it lives, so that replacing one touches one part. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  elysia: ['http'],
  '@elysiajs/cors': ['http'],
  '@modelcontextprotocol/sdk': ['mcp'],
  'drizzle-orm': ['storage'],
  '@libsql/client': ['storage'],
  '@libsql/hrana-client': ['storage'],
  // main.ts tells a wrong command line from a failed command.
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

const RUNS_ELSEWHERE = 'text of a worker that runs at the edge';

/** The outside world has one door each, so that tests control it and stdout stays what a command prints. */
export const DOORS: readonly Door[] = [
  {
    name: 'the process: environment, arguments, exit, streams, signals',
    pattern: /\bprocess\.(?!(?:platform|arch|dlopen)\b)\w+/,
    allowed: {
      'src/main.ts': 'reads and writes them for everybody',
      'src/platform.ts': 'log lines go to stderr',
    },
  },
  {
    name: 'clock and timers',
    pattern:
      /\bDate\.now\b|\bperformance\.now\b|\bset(?:Timeout|Interval|Immediate)\b|\bnew Date\(\)|\bAbortSignal\.timeout\b|\bnode:timers\b/,
    allowed: {
      'src/platform.ts': 'the clock of everybody',
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
      'src/platform.ts': 'ids and secrets of everybody',
      'src/models/unpack.ts': 'a temporary file’s name, which nobody sees',
      'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
    },
  },
  {
    name: 'Bun and Deno themselves',
    pattern: /\bBun\.|\bDeno\b|'bun(?::|')/,
    allowed: {
      'src/platform.ts': 'opens a listener with what the runtime brings',
      'src/domain/agent.ts': 'knows the user agents of both',
    },
  },
  {
    name: 'the console',
    pattern: /\bconsole\./,
    allowed: { 'src/assets/edge-worker.ts': RUNS_ELSEWHERE },
  },
];

/** The files that may catch, with what each does about the error. Everywhere else it passes through. */
export const CATCHES: Readonly<Record<string, string>> = {
  'src/main.ts': 'turns it into a message and an exit code',
  'src/worker.ts': 'logs it and tries again later',
  'src/platform.ts': 'an aborted sleep has ended; no descriptor left is what it looks for',
  'src/config.ts': 'collects every fault of a configuration',
  'src/services.ts': 'gives back the lock of a start that failed',
  'src/http/mcp/mcp-wire.ts': 'a body that cannot be read has a price too',
  'src/http/exchange/route-schema.ts': 'names bytes that are not UTF-8',
  'src/http/exchange/body.ts': 'names bytes that are not UTF-8, and text that is not JSON',
  'src/operator/operator-server.ts': 'answers it',
  'src/operator/operator-listener.ts': 'answers it',
  'src/operator/admin.ts': 'answers it',
  'src/operator/operator-client.ts': 'a refused connection fails twice and is told once',
  'src/mcp/server.ts': 'answers it',
  'src/mcp/check.ts': 'tells which step failed, and goes on',
  'src/operations/imports/import-catalog.ts': 'records the failed import and passes it on',
  'src/operations/upkeep/back-up-database.ts':
    'tells a folder where another process works from a bug',
  'src/operations/upkeep/examine-records.ts': 'bytes that are not UTF-8 are what it looks for',
  'src/operations/upkeep/page-check.ts': 'damage may be found where nobody waits to be told',
  'src/operations/upkeep/readiness.ts': 'a write that is refused is the answer',
  'src/operations/tenants/organizations.ts': 'names a wrong language tag',
  'src/operations/imports/prepare-rows-worker.ts': 'sends it out of the thread',
  'src/operations/imports/row-preparer.ts': 'who waits for the row is told, and nobody else',
  'src/operations/search/embeddings.ts': 'searches by words alone when the embedder fails',
  'src/operations/landing/introductions.ts': 'the page has a sentence of its own',
  'src/operations/landing/landing-pages.ts': 'records why a page could not be built',
  'src/operations/instances/mutex.ts': 'a failed task does not stop the next one',
  'src/operations/search/score-candidates.ts': 'searches on without the language model',
  'src/operations/imports/open-catalog-url.ts': 'what a shop need not have is left out',
  'src/operations/imports/source-refreshes.ts': 'keeps the failure with the source',
  'src/catalog/bytes/encoding.ts': 'names an encoding that there is none of',
  'src/catalog/bytes/decompress.ts': 'names a damaged archive',
  'src/catalog/bytes/json-text.ts': 'makes a fault of a wrong line',
  'src/catalog/own/markdown-contexts.ts': 'makes a fault of wrong front matter',
  'src/directory.ts': 'a load that failed does not stop the next one',
  'src/operations/instances/lease.ts': 'what a server that is away does not prolong runs out',
  'src/operations/upkeep/follow-instances.ts':
    'goes on with what is in memory while the server is away',
  'src/storage/engine/checkpoints.ts': 'what one checkpoint cannot move, a later one does',
  'src/storage/engine/connection.ts':
    'a write that failed does not stop the next one, and is counted',
  'src/storage/engine/server-client.ts':
    'opens a stream in the place of one that the server has closed',
  'src/storage/engine/server-database.ts': 'tells a server that is away from a bug',
  'src/storage/engine/database.ts': 'tells a full disk and a damaged file from a bug',
  'src/storage/engine/answer-limit.ts': 'reads in parts what is too large for one answer',
  'src/storage/engine/backups.ts': 'a manifest that is not JSON is none',
  'src/storage/engine/content.ts': 'tells a damaged file from a bug',
  'src/storage/engine/files.ts': 'names a folder of somebody else’s that all can read',
  'src/storage/engine/lock.ts': 'tells a held lock from a bug',
  'src/storage/engine/texts.ts': 'counts a text that is not UTF-8, and reads it all the same',
  'src/storage/audit-log.ts': 'shows damaged details as they are stored',
  'src/web/download.ts': 'names an answer that is damaged',
  'src/models/chat-endpoint.ts': 'asks in another way, and makes one fault of whatever went wrong',
  'src/models/endpoint.ts': 'an answer that is not JSON is none',
  'src/models/inference.ts': 'falls back to the next runtime',
  'src/models/native-session.ts': 'falls back to the next folder',
  'src/models/unpack.ts': 'what is there already is no fault',
  'src/models/local-embedder-worker.ts': 'sends it out of the thread',
  'src/models/remote-embedder.ts': 'counts it for the breaker',
  'src/models/remote-scorer.ts': 'names a message that is not JSON',
  'src/cli/command/cli.ts': 'names the fault in vitrine.toml',
  'src/cli/ready.ts': 'a service that does not answer is not ready',
  'src/cli/command/read-files.ts': 'a file that is not there is told as such',
  'src/cli/mcp-stdio.ts': 'a line that is not JSON is answered as such',
  'src/cli/command/operator.ts': 'nobody listens: the command does it itself',
  'src/cli/catalog/catalog-export.ts':
    'a disk that failed while nothing was written is told by the next write',
  'src/cli/serve.ts': 'serves on without the operator’s listener where nobody chose its address',
  'src/cli/machine/doctor.ts': 'makes a line of it',
  'src/cli/machine/machine-checks.ts':
    'a port that is taken, a folder that lets nothing run: what it looks for',
  'src/cli/demo.ts': 'another port when the usual one is taken',
  'src/cli/eval/eval-askers.ts': 'cleans up a failed evaluation and passes it on',
  'src/cli/eval/eval-files.ts': 'names the line of a wrong file',
  'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
};

export const LINES_MAX = 400;

export const FOLDER_FILES_MAX = 25;

/** Files that hold one long table and nothing else to read. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'src/assets/sample-pictures.ts': 'drawings, one small function each',
};

export const FUNCTION_LINES_MAX = 70;
