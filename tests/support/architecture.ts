/*
 * The architecture, as tables that tests/tidy.test.ts holds the source to. A list of exceptions gives a
 * reason for each, and an exception that is no longer needed is a fault too.
 */

/** Each part of src/ and what it may import; a part may always import itself. Nothing points upwards. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ['cli', 'platform'],
  cli: [
    ...['http', 'mcp', 'ops', 'services', 'operations', 'catalog', 'search', 'models'],
    ...['assets', 'config', 'platform', 'domain'],
  ],
  http: [
    ...['mcp', 'operations', 'rate-limit', 'metrics', 'trace-context'],
    ...['assets', 'platform', 'domain'],
  ],
  // An assistant on this machine talks over the operator's socket.
  ops: ['operations', 'mcp', 'assets', 'platform', 'domain'],
  mcp: ['operations', 'assets', 'domain'],
  services: [
    ...['operations', 'directory', 'storage', 'models', 'rate-limit', 'worker', 'metrics'],
    ...['config', 'platform', 'domain'],
  ],
  operations: [
    ...['directory', 'search', 'catalog', 'landing', 'storage', 'models', 'web', 'rate-limit'],
    'metrics',
    ...['platform', 'domain'],
  ],
  directory: ['storage', 'domain'],
  worker: ['platform'],
  storage: ['domain'],
  web: ['domain'],
  catalog: ['domain'],
  search: ['domain'],
  // Pure: what a catalogue holds → a page.
  landing: ['domain'],
  'rate-limit': ['domain'],
  models: ['trace-context', 'platform', 'domain'],
  metrics: [],
  'trace-context': [],
  config: [],
  platform: [],
  domain: [],
  assets: ['domain'],
};

/** Each library and where it lives, so that replacing one touches one part. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  elysia: ['http'],
  '@modelcontextprotocol/sdk': ['mcp'],
  'drizzle-orm': ['storage'],
  '@libsql/client': ['storage'],
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
  typebox: Object.keys(MAY_IMPORT),
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
      'src/cli/eval-askers.ts': 'gives up on a request',
      'src/cli/mcp.ts': 'gives up on a server that does not answer',
      'src/models/remote-embedder.ts': 'gives up on a request',
      'src/web/download.ts': 'gives up on a request',
      'src/models/chat-endpoint.ts': 'gives up on a request',
      'src/storage/server-database.ts': 'gives up on a request',
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
  'src/platform.ts': 'an aborted sleep is a sleep that ended',
  'src/config.ts': 'collects every fault of a configuration',
  'src/services.ts': 'gives back the lock of a start that failed',
  'src/http/server.ts': 'answers it',
  'src/http/mcp.ts': 'echoes the id of the message that failed',
  'src/http/mcp-wire.ts': 'a body that cannot be read has a price too',
  'src/http/query.ts': 'names bytes that are not UTF-8',
  'src/http/body.ts': 'names bytes that are not UTF-8, and text that is not JSON',
  'src/ops/operator-server.ts': 'answers it',
  'src/ops/operator-listener.ts': 'answers it',
  'src/ops/admin.ts': 'answers it',
  'src/ops/operator-client.ts': 'a refused connection fails twice and is told once',
  'src/mcp/dispatch.ts': 'answers it',
  'src/mcp/check.ts': 'tells which step failed, and goes on',
  'src/operations/import-catalog.ts': 'records the failed import and passes it on',
  'src/operations/back-up-database.ts': 'tells a folder where another process works from a bug',
  'src/operations/readiness.ts': 'a write that is refused is the answer',
  'src/operations/organizations.ts': 'names a wrong language tag',
  'src/operations/prepare-rows-worker.ts': 'sends it out of the thread',
  'src/operations/row-preparer.ts': 'who waits for the row is told, and nobody else',
  'src/operations/meaning.ts': 'searches on without meaning',
  'src/operations/introductions.ts': 'the page has a sentence of its own',
  'src/operations/landing-pages.ts': 'records why a page could not be built',
  'src/operations/turns.ts': 'a failed turn does not stop the next one',
  'src/operations/score-candidates.ts': 'searches on without the language model',
  'src/operations/open-catalog-url.ts': 'what a shop need not have is left out',
  'src/operations/refresh-next-source.ts': 'keeps the failure with the source',
  'src/catalog/encoding.ts': 'names an encoding that there is none of',
  'src/catalog/decompress.ts': 'names a damaged archive',
  'src/catalog/json-text.ts': 'makes a fault of a wrong line',
  'src/catalog/markdown-contexts.ts': 'makes a fault of wrong front matter',
  'src/directory.ts': 'a load that failed does not stop the next one',
  'src/operations/lease.ts': 'what a server that is away does not prolong runs out',
  'src/operations/follow-instances.ts': 'goes on with what is in memory while the server is away',
  'src/storage/connection.ts': 'a write that failed does not stop the next one, and is counted',
  'src/storage/server-database.ts': 'tells a server that is away from a bug',
  'src/storage/database.ts': 'tells a full disk and a damaged file from a bug',
  'src/storage/backups.ts': 'a manifest that is not JSON is none',
  'src/storage/content.ts': 'tells a damaged file from a bug',
  'src/storage/lock.ts': 'tells a held lock from a bug',
  'src/web/download.ts': 'names an answer that is damaged',
  'src/models/chat-endpoint.ts': 'asks in another way, and makes one fault of whatever went wrong',
  'src/models/endpoint.ts': 'an answer that is not JSON is none',
  'src/models/inference.ts': 'falls back to the next runtime',
  'src/models/native-session.ts': 'falls back to the next folder',
  'src/models/unpack.ts': 'what is there already is no fault',
  'src/models/local-embedder-worker.ts': 'sends it out of the thread',
  'src/models/remote-embedder.ts': 'counts it for the breaker',
  'src/models/remote-scorer.ts': 'names a message that is not JSON',
  'src/cli/cli.ts': 'names the fault in vitrine.toml',
  'src/cli/read-files.ts': 'a file that is not there is told as such',
  'src/cli/mcp-stdio.ts': 'a line that is not JSON is answered as such',
  'src/cli/operator.ts': 'nobody listens: the command does it itself',
  'src/cli/catalog-export.ts':
    'a disk that failed while nothing was written is told by the next write',
  'src/cli/serve.ts': 'serves on without the operator’s listener where nobody chose its address',
  'src/cli/doctor.ts': 'makes a line of it',
  'src/cli/machine-checks.ts':
    'a port that is taken, a folder that lets nothing run: what it looks for',
  'src/cli/demo.ts': 'another port when the usual one is taken',
  'src/cli/eval-askers.ts': 'cleans up a failed evaluation and passes it on',
  'src/cli/eval-files.ts': 'names the line of a wrong file',
  'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
};

export const LINES_MAX = 400;

/** Files that hold one long table and nothing else to read. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'src/assets/sample-pictures.ts': 'drawings, one small function each',
};

export const FUNCTION_LINES_MAX = 70;
