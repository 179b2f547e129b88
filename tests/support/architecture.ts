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
    ...['cli/catalog', 'cli/command', 'cli/eval', 'cli/hits', 'cli/machine', 'cli/model', 'http'],
    'mcp',
    ...['operator', 'services', 'operations', 'operations/assistants', 'operations/imports'],
    ...[
      'operations/indexes',
      'operations/curation',
      'operations/landing',
      'operations/learning',
      'operations/search',
    ],
    ...['operations/tenants', 'operations/upkeep', 'catalog'],
    ...['catalog/record', 'http/exchange', 'http/mcp', 'assets', 'config', 'platform', 'domain'],
  ],
  'cli/eval': [
    ...['cli/command', 'http/search', 'services', 'operations'],
    ...['operations/imports'],
    ...['operations/search', 'operations/tenants', 'catalog/bytes', 'catalog/record', 'config'],
    ...['platform', 'domain'],
  ],
  'cli/hits': ['cli/command', 'operations/hits', 'assets', 'messages', 'domain'],
  'cli/machine': [
    ...['cli/command', 'operator', 'services', 'operations/offerings', 'operations/search'],
    ...['operations/tenants', 'operations/upkeep', 'oauth', 'config', 'platform', 'domain'],
  ],
  'cli/model': [
    ...['cli/command', 'embedders', 'models/calibration', 'models/folder', 'config', 'platform'],
    'domain',
  ],
  'cli/catalog': [
    ...['cli/command', 'operations', 'operations/imports', 'operations/indexes'],
    'operations/sources',
    ...['operations/tenants', 'catalog', 'catalog/mapping', 'catalog/record', 'garbage', 'domain'],
  ],
  // What all commands share: options, output, the connection to a running service.
  'cli/command': [
    ...['operator', 'services', 'operations', 'catalog', 'catalog/bytes'],
    ...['config', 'platform', 'domain'],
  ],

  // Joins the rooms of routes into the public listener's app.
  http: [
    ...['http/catalog', 'http/hits', 'http/mcp', 'http/search', 'http/sign-in', 'http/exchange'],
    ...['mcp', 'operations/landing'],
    ...['operations/tenants', 'metrics', 'trace-context', 'assets', 'platform', 'domain'],
  ],
  'http/catalog': [
    ...['http/exchange', 'operations/imports', 'operations/pushes', 'schema', 'domain'],
  ],
  'http/search': [
    ...['http/exchange', 'domain', 'messages', 'operations/indexes', 'operations/search'],
    'collections',
  ],
  'http/hits': ['http/exchange', 'domain', 'operations/hits', 'operations/tenants', 'schema'],
  'http/mcp': ['http/exchange', 'domain', 'mcp', 'operations/assistants', 'operations/tenants'],
  'http/sign-in': ['http/exchange', 'oauth', 'operations/sign-in', 'assets', 'domain'],
  // How a request is handled: what all rooms of routes share.
  'http/exchange': [
    ...['mcp', 'oauth', 'operations/hits', 'operations/pushes', 'operations/sign-in'],
    'operations/tenants',
    ...['operations/upkeep', 'rate-limit'],
    ...['metrics', 'schema', 'platform', 'domain'],
  ],
  // An assistant on this machine talks over the operator's socket.
  operator: [
    ...[
      'mcp',
      'operations',
      'operations/assistants',
      'operations/curation',
      'operations/drafts',
      'operations/hits',
      'operations/imports',
    ],
    ...['operations/landing', 'operations/learning', 'operations/pushes', 'operations/search'],
    ...['operations/sources', 'operations/tenants', 'operations/upkeep'],
    ...['assets', 'platform', 'domain'],
  ],
  mcp: [
    ...['mcp/resources', 'mcp/tools', 'operations', 'operations/assistants', 'operations/hits'],
    ...['operations/imports', 'operations/search', 'operations/tenants', 'schema', 'messages'],
    'domain',
  ],
  'mcp/tools': [
    ...['mcp', 'mcp/resources', 'operations/offerings', 'operations/indexes'],
    ...['operations/search', 'messages', 'schema', 'collections', 'domain'],
  ],
  'mcp/resources': ['mcp', 'operations/landing', 'operations/offerings', 'assets', 'domain'],

  // What runs beside requests.
  background: [
    ...['operations/assistants', 'operations/hits', 'operations/instances'],
    ...['operations/landing', 'operations/learning', 'operations/pushes', 'operations/search'],
    ...['operations/sign-in', 'operations/sources', 'operations/tenants', 'operations/upkeep'],
    'worker',
  ],
  // Opens the configured embedding model, and those before it.
  embedders: ['models', 'config', 'platform'],
  services: [
    ...['background', 'embedders'],
    ...['operations', 'operations/drafts', 'operations/hits', 'operations/imports'],
    ...['operations/curation', 'operations/indexes', 'operations/instances', 'operations/landing'],
    ...['operations/learning', 'operations/offerings', 'operations/pushes', 'operations/search'],
    ...['operations/sign-in', 'operations/tenants', 'operations/upkeep', 'directory', 'storage'],
    ...['storage/catalog', 'storage/engine', 'models', 'rate-limit', 'metrics', 'config'],
    ...['platform', 'domain'],
  ],

  // Maintains and monitors all other rooms, so it imports them.
  'operations/upkeep': [
    ...[
      'operations',
      'operations/assistants',
      'operations/curation',
      'operations/drafts',
      'operations/hits',
      'operations/imports',
    ],
    ...['operations/instances', 'operations/landing'],
    ...['operations/offerings', 'operations/search', 'operations/tenants'],
    ...['search/index', 'storage', 'storage/catalog', 'storage/engine'],
    ...['metrics', 'platform', 'domain'],
  ],
  'operations/imports': [
    ...[
      'operations',
      'operations/indexes',
      'operations/instances',
      'operations/offerings',
      'operations/search',
    ],
    ...['operations/tenants', 'catalog', 'catalog/record'],
    ...['search/index', 'search/text', 'storage'],
    ...['storage/catalog', 'storage/engine', 'garbage', 'domain'],
  ],
  // The addresses that catalogues are imported from, again and again.
  'operations/sources': [
    ...['operations', 'operations/imports', 'operations/tenants', 'catalog', 'catalog/bytes'],
    ...['catalog/record', 'storage/catalog', 'storage/engine', 'web', 'domain'],
  ],
  'operations/drafts': [
    ...['operations', 'operations/imports', 'operations/pushes', 'operations/sources'],
    ...['operations/tenants', 'catalog', 'catalog/mapping', 'catalog/record', 'web', 'domain'],
  ],
  'operations/pushes': [
    ...['operations', 'operations/imports', 'operations/instances', 'operations/offerings'],
    'operations/sources',
    ...['operations/tenants', 'catalog', 'catalog/own', 'catalog/record', 'catalog/woo', 'storage'],
    ...['storage/catalog', 'storage/engine', 'domain'],
  ],
  'operations/assistants': [
    ...['operations', 'operations/landing', 'operations/offerings', 'operations/sign-in'],
    ...['operations/tenants', 'storage', 'domain'],
  ],
  // The owners' own corrections of their search.
  'operations/curation': [
    ...['operations', 'operations/instances', 'operations/tenants', 'search/index'],
    ...['search/ranking', 'search/text', 'storage', 'storage/catalog', 'domain'],
  ],
  // What customers' choices teach.
  'operations/learning': [
    ...['operations', 'operations/indexes', 'operations/offerings', 'operations/tenants'],
    ...['search/learning', 'search/query', 'search/text', 'search/tuning', 'search/vectors'],
    ...['storage', 'storage/catalog', 'models', 'domain'],
  ],
  'operations/search': [
    ...['operations', 'operations/curation', 'operations/indexes', 'operations/instances'],
    ...['operations/learning', 'operations/tenants', 'search/learning'],
    ...['search/index', 'search/query', 'search/ranking', 'search/results', 'search/text'],
    ...['search/tuning', 'storage', 'storage/catalog'],
    ...['messages', 'models', 'platform', 'collections', 'domain'],
  ],
  // Catalogues in memory: loading, changing and keeping their indexes.
  'operations/indexes': [
    ...['operations/instances', 'search/index', 'search/query', 'search/ranking', 'search/results'],
    ...['search/text', 'search/tuning', 'search/vectors', 'directory', 'storage'],
    ...['storage/catalog', 'storage/engine', 'models', 'models/calibration', 'platform'],
    ...['garbage', 'thread-priority', 'collections', 'domain'],
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
    'catalog/bytes',
    ...['operations', 'operations/instances', 'operations/tenants', 'storage', 'storage/engine'],
    ...['rate-limit', 'platform', 'messages', 'domain'],
  ],
  // Grants access to assistants, as src/oauth says the protocol wants it.
  'operations/sign-in': [
    ...['operations', 'operations/tenants', 'oauth', 'storage', 'web', 'platform', 'domain'],
  ],
  'operations/tenants': [
    ...['operations', 'operations/instances', 'operations/offerings'],
    'storage',
    ...['storage/catalog', 'storage/engine', 'rate-limit', 'platform', 'domain'],
  ],
  'operations/offerings': [
    'operations',
    'search/query',
    'search/results',
    'search/text',
    'storage/catalog',
    'domain',
  ],
  'operations/instances': ['operations', 'storage', 'storage/engine', 'platform', 'domain'],
  // What an operation is, and the services that every room needs.
  operations: ['directory', 'storage', 'storage/engine', 'schema', 'platform', 'domain'],

  directory: ['storage', 'storage/catalog', 'storage/engine', 'domain'],
  storage: ['storage/engine', 'domain'],
  'storage/catalog': ['storage/engine', 'collections', 'domain'],
  'storage/engine': [
    'storage/engine/migrations',
    'storage/engine/migrations/0001-0009',
    'storage/engine/migrations/0010-0019',
    'domain',
  ],
  'storage/engine/migrations': [],
  'storage/engine/migrations/0001-0009': [],
  'storage/engine/migrations/0010-0019': [],

  // Pure: bytes → records and their faults.
  catalog: [
    ...['catalog/feeds', 'catalog/own', 'catalog/shop-tables', 'catalog/shopify'],
    ...['catalog/web-page', 'catalog/woo', 'catalog/mapping', 'catalog/workbooks'],
    ...['catalog/bytes', 'catalog/record', 'domain'],
  ],
  'catalog/feeds': ['catalog/mapping', 'catalog/bytes', 'catalog/record', 'domain'],
  'catalog/own': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/shop-tables': ['catalog/feeds', 'catalog/bytes', 'catalog/record', 'domain'],
  'catalog/shopify': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/web-page': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/woo': ['catalog/feeds', 'catalog/bytes', 'catalog/record', 'domain'],
  'catalog/workbooks': ['catalog/bytes', 'domain'],
  // What the columns of a table of unknown origin mean.
  'catalog/mapping': ['catalog/bytes', 'catalog/record', 'domain'],
  'catalog/bytes': ['catalog/record', 'domain'],
  'catalog/record': ['domain'],

  // Pure: question and documents → matches, their order, and why.
  'search/results': [
    ...['search/index', 'search/learning', 'search/query', 'search/text', 'search/tuning'],
    ...['messages', 'collections', 'domain'],
  ],
  'search/learning': ['search/vectors', 'search/query', 'search/tuning'],
  'search/index': [
    ...['search/vectors', 'search/ranking', 'search/query', 'search/text', 'search/tuning'],
    ...['collections', 'domain'],
  ],
  'search/vectors': ['collections'],
  'search/ranking': ['search/query', 'search/text', 'search/tuning', 'domain'],
  'search/query': ['search/languages', 'search/text', 'search/tuning', 'messages', 'domain'],
  'search/tuning': ['domain'],
  'search/text': ['search/languages', 'collections'],
  'search/languages': [],

  // Pure: requests of OAuth's clients → what they ask for, or the fault to tell them.
  oauth: ['domain'],

  // Pure: what the service says to assistants and shoppers, in each language.
  messages: [],

  // Pure: the contents of a catalogue → a page.
  landing: ['messages', 'domain'],
  web: ['domain'],
  'rate-limit': ['domain'],
  models: ['models/folder', 'trace-context', 'thread-priority', 'domain'],
  // Reads and tokenizes for a model that sentence-transformers has saved.
  'models/folder': ['domain'],
  // What an unknown embedding model understands.
  'models/calibration': ['models'],
  worker: ['platform'],
  // Reads external values according to a TypeBox schema.
  schema: ['domain'],
  assets: ['messages', 'domain'],
  metrics: [],
  'trace-context': [],
  collections: [],
  config: ['config-values'],
  'config-values': [],
  platform: [],
  // Frees memory while much is being made.
  garbage: [],
  'thread-priority': [],
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
  libsql: ['storage'],
  // main.ts distinguishes a wrong command line from a failed command.
  commander: ['cli', 'main'],
  'smol-toml': ['cli'],
  'csv-parse': ['catalog'],
  saxes: ['catalog'],
  yauzl: ['catalog', 'models'],
  yaml: ['catalog'],
  'html-to-text': ['catalog'],
  'mdast-util-from-markdown': ['landing'],
  htmlparser2: ['catalog'],
  'ipaddr.js': ['web'],
  '@orama/stemmers': ['search'],
  '@orama/stopwords': ['search'],
  'crawler-user-agents': ['domain'],
  '@huggingface/tokenizers': ['models'],
  'onnxruntime-node': ['models'],
  'onnxruntime-web': ['models'],
  uuid: ['platform', 'domain'],
  // The shared language of schemas.
  typebox: [...new Set(Object.keys(MAY_IMPORT).map((room) => room.split('/')[0]!))],
};

export const LINES_MAX = 400;

export const FOLDER_FILES_MAX = 25;

/** Files that hold only one long table. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'src/assets/sample-pictures.ts': 'drawings, one small function each',
  'src/catalog/mapping/words.ts': 'the dictionary of headings and values in eleven languages',
};

export const FUNCTION_LINES_MAX = 70;
