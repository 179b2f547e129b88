import { join, resolve } from 'node:path';
import {
  INDEX_MEMORY_MB_MAX,
  integer,
  memoryMb,
  oneOf,
  parseAddress,
  parseAddressOrOff,
  parseDatabaseUrl,
  parseHosts,
  parseNetworks,
  parseOrigins,
  parsePublicUrl,
  parseText,
  parseUrl,
  threads,
} from './config-values.ts';

/** One setting: `--trusted-proxies`, `VITRINE_TRUSTED_PROXIES`, `trusted_proxies` in vitrine.toml. */
export interface Setting<Value> {
  readonly description: string;
  readonly fallback: string;
  /** Never printed: shown as dots. */
  readonly secret?: boolean;
  /** Another environment variable for it, without our prefix. */
  readonly alias?: string;
  /** Parses the value. Throws a `RangeError` that says what is allowed. */
  parse(text: string): Value;
}

/** Where a value came from, in order of precedence. */
export type Origin = 'flag' | 'environment' | 'vitrine.toml' | 'default';

/** Every setting of the service. No other code reads settings from flags, environment or file. */
export const SETTINGS = {
  listen: setting('Address of the public listener.', '127.0.0.1:8787', parseAddress),
  opsListen: setting(
    'Address of the operator’s listener (metrics), or "off". If the default port is in use, the service runs without it.',
    '127.0.0.1:8788',
    parseAddressOrOff,
  ),
  publicUrl: setting(
    'Public https base URL: used in links, and checked by doctor.',
    '',
    parsePublicUrl,
  ),
  oauth: setting(
    'Lets people sign assistants in at the public_url (OAuth 2.1): "on" or "off".',
    'on',
    oneOf('on', 'off'),
  ),
  allowedHosts: setting(
    'Host names that assistants may use, besides loopback and the host of public_url, comma-separated.',
    '',
    parseHosts,
  ),
  allowedOrigins: setting(
    'Origins of web pages whose assistants may call, comma-separated; empty: any.',
    '',
    parseOrigins,
  ),
  trustedProxies: setting(
    'Proxies whose X-Forwarded-For is trusted: IP addresses or networks, comma-separated.',
    '',
    parseNetworks,
  ),
  databaseUrl: {
    ...setting(
      'libSQL server (libsql://, https://, http://) that several instances share; empty: a file in the data folder. The environment variable DATABASE_URL works as well.',
      '',
      parseDatabaseUrl,
    ),
    alias: 'DATABASE_URL',
  },
  databaseAuthToken: { ...setting('Token for the libSQL server.', '', parseText), secret: true },
  embedder: setting(
    'Search by meaning: "local" (built-in model, English), "folder" (a model of your own), "endpoint" or "off".',
    'local',
    oneOf('local', 'folder', 'endpoint', 'off'),
  ),
  embedderPath: setting(
    'Model for "folder": a name that "vitrine model add" gave, or a path with a slash.',
    '',
    parseText,
  ),
  embedderUrl: setting('OpenAI-compatible endpoint for embeddings.', '', parseUrl),
  embedderModel: setting('Model to ask that endpoint for.', '', parseText),
  embedderApiKey: { ...setting('Key for that endpoint.', '', parseText), secret: true },
  embedderBudgetMs: setting(
    'Longest that a search waits for the embedding of its question, in ms.',
    '400',
    integer(10, 60_000),
  ),
  embedderThreads: setting(
    'Threads of the embedding model, or "auto": one fewer than the machine has cores, at most 4.',
    'auto',
    threads,
  ),
  scorerUrl: setting(
    'OpenAI-compatible endpoint whose language model grades results; empty: no grading.',
    '',
    parseUrl,
  ),
  scorerModel: setting('Model to ask that endpoint for.', '', parseText),
  scorerApiKey: { ...setting('Key for that endpoint.', '', parseText), secret: true },
  scorerBudgetMs: setting(
    'Longest that a search waits for grades, in ms.',
    '2500',
    integer(50, 60_000),
  ),
  writerUrl: setting(
    'OpenAI-compatible endpoint whose language model writes the introduction of a landing page; empty: no model does.',
    '',
    parseUrl,
  ),
  writerModel: setting('Model to ask that endpoint for.', '', parseText),
  writerApiKey: { ...setting('Key for that endpoint.', '', parseText), secret: true },
  writerBudgetMs: setting(
    'Longest that a page waits for its introduction, in ms.',
    '20000',
    integer(50, 60_000),
  ),
  indexMemoryMb: setting(
    'Memory for searching catalogues, in MB, or "auto": a quarter of the memory that the service may use. Where not all catalogues fit, those searched last are kept, and any other is loaded when it is searched. One is kept whatever its size.',
    'auto',
    memoryMb,
  ),
  learn: setting(
    'Learns from hits which offerings customers choose, and ranks those higher: "on" or "off".',
    'on',
    oneOf('on', 'off'),
  ),
  hitsDays: setting('Days for which individual hits are kept.', '90', integer(1, 3650)),
  hitsRollUpMonths: setting(
    'Months for which daily counts of hits are kept.',
    '25',
    integer(1, 120),
  ),
  hitsFullAddressHours: setting(
    'Hours after which a visitor’s IP address is reduced to its network, /24 or /48.',
    '24',
    integer(0, 24),
  ),
  logLevel: setting('Lowest level of log lines.', 'info', oneOf('debug', 'info', 'warn', 'error')),
  accessLog: setting(
    'Which requests are logged, one line each: "off", "errors" (5xx) or "all". Log level debug logs all.',
    'off',
    oneOf('off', 'errors', 'all'),
  ),
  bootstrapOrg: setting('Organization created at the first start, for containers.', '', parseText),
  bootstrapApiKey: {
    ...setting('API key of that organization.', '', parseText),
    secret: true,
  },
} as const;

export type SettingName = keyof typeof SETTINGS;
type Values = { readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['parse']> };

export interface Config extends Values {
  /** Absolute path of the data folder. */
  readonly dataFolder: string;
  /** Where each value came from. */
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** Each value as it was written. */
  readonly spelled: Readonly<Record<SettingName, string>>;
}

/** The unvalidated input of the configuration. */
export interface ConfigSources {
  readonly dataFolder: string;
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Content of vitrine.toml. */
  readonly file: Readonly<Record<string, unknown>>;
}

/** An invalid configuration. Its message lists every fault, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Takes each setting from its flag, else the environment, the file, the default. Throws one `ConfigError` with every fault. */
export function readConfig({ dataFolder, flags, environment, file }: ConfigSources): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  const spelled: Record<string, string> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const { parse, fallback, alias }: Setting<unknown> = setting;
    const inFile = file[fileName(name)];
    const candidates: readonly (readonly [Origin, string | undefined])[] = [
      ['flag', flags[name]],
      ['environment', environment[environmentName(name)] ?? environment[alias ?? '']],
      ['vitrine.toml', inFile === undefined ? undefined : spell(inFile)],
      ['default', fallback],
    ];
    const [origin, text] = candidates.find(([, candidate]) => candidate !== undefined) as [
      Origin,
      string,
    ];
    origins[name] = origin;
    spelled[name] = text;
    try {
      values[name] = parse(text.trim());
    } catch (error) {
      const isAlias = origin === 'environment' && environment[environmentName(name)] === undefined;
      const spelling = isAlias ? alias : spellingOf(name, origin);
      faults.push(`${spelling}: ${(error as Error).message}`);
    }
  }
  const known = new Set(Object.keys(SETTINGS).map(fileName));
  for (const name of Object.keys(file))
    if (!known.has(name)) faults.push(`vitrine.toml: there is no setting "${name}"`);
  if (
    values['embedder'] === 'endpoint' &&
    (values['embedderUrl'] === null || values['embedderModel'] === '')
  ) {
    faults.push('the embedder "endpoint" needs embedder_url and embedder_model');
  }
  if (values['embedder'] === 'folder' && values['embedderPath'] === '')
    faults.push('the embedder "folder" needs an embedder_path');
  if (typeof values['scorerUrl'] === 'string' && values['scorerModel'] === '') {
    faults.push('scorer_url needs a scorer_model');
  }
  if (typeof values['writerUrl'] === 'string' && values['writerModel'] === '') {
    faults.push('writer_url needs a writer_model');
  }
  if (faults.length > 0)
    throw new ConfigError(`Bad configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  // Absolute, because doctor and backups work beside the data folder.
  const embedderPath = pathOfModel(String(values['embedderPath']), dataFolder);
  return {
    ...(values as Values),
    ...{ embedderPath, dataFolder: resolve(dataFolder), origins, spelled },
  } as Config;
}

/** `embedderBudgetMs` → `VITRINE_EMBEDDER_BUDGET_MS`. */
export function environmentName(name: string): string {
  return `VITRINE_${fileName(name).toUpperCase()}`;
}

/**
 * `embedderBudgetMs` → `embedder-budget-ms`. A secret's flag names a file, `scorer-api-key-file`,
 * because every user of a machine can see the arguments of its processes.
 */
export function flagName(name: string): string {
  return fileName(name).replaceAll('_', '-') + (isSecret(name) ? '-file' : '');
}

/** Whether a setting must not be shown. */
export function isSecret(name: string): boolean {
  const setting: Setting<unknown> | undefined = SETTINGS[name as SettingName];
  return setting?.secret === true;
}

/** `embedderBudgetMs` → `embedder_budget_ms`. */
export function fileName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Files of a data folder. */
export function dataFiles(folder: string): { database: string; lock: string; settings: string } {
  return {
    database: join(folder, 'vitrine.db'),
    lock: join(folder, 'vitrine.lock'),
    settings: join(folder, 'vitrine.toml'),
  };
}

/** A value of the file, written as a flag. A table cannot be, so its text fails every parser. */
function spell(value: unknown): string {
  if (Array.isArray(value)) return value.map(spell).join(',');
  return typeof value === 'object' ? '\0' : String(value);
}

function setting<Value>(
  description: string,
  fallback: string,
  parse: (text: string) => Value,
): Setting<Value> {
  return { description, fallback, parse };
}

function spellingOf(name: string, origin: Origin): string {
  if (origin === 'flag') return `--${flagName(name)}`;
  return origin === 'environment' ? environmentName(name) : fileName(name);
}

/**
 * The issuer of the authorization server, to which paths are appended; null if nobody can sign in.
 */
export function signInUrl({
  publicUrl,
  oauth,
}: Pick<Config, 'publicUrl' | 'oauth'>): string | null {
  return oauth === 'on' ? publicUrl : null;
}

/**
 * The memory for searching catalogues, in MB. `auto` is a quarter of `memoryBytes`, which leaves
 * room for a second version of each catalogue while it is being replaced.
 */
export function indexMemoryMb({ indexMemoryMb: setting }: Config, memoryBytes: number): number {
  if (setting !== 'auto') return setting;
  return Math.min(INDEX_MEMORY_MB_MAX, Math.floor(memoryBytes / 4 / 1024 / 1024));
}

/** The folder of a data folder that holds the added embedding models. */
export function modelsFolder(dataFolder: string): string {
  return join(dataFolder, 'models');
}

/** The folder of the embedding model; null if it is not one in a folder. */
export function modelFolder({
  embedder,
  embedderPath,
}: Pick<Config, 'embedder' | 'embedderPath'>): string | null {
  return embedder === 'folder' ? embedderPath : null;
}

/** The path of a model that is named by a path with a slash, or by its name among the added ones. */
export function pathOfModel(named: string, dataFolder: string): string {
  return /[/\\]/.test(named) ? resolve(named) : resolve(modelsFolder(dataFolder), named);
}

/**
 * The threads of the embedding model. `auto` leaves a core to the rest of the service; a single text
 * gains little from more than four.
 */
export function embedderThreads(
  { embedderThreads: setting }: Pick<Config, 'embedderThreads'>,
  coreCount: number,
): number {
  return setting === 'auto' ? Math.min(4, Math.max(1, coreCount - 1)) : setting;
}

/** The URL at which a program on this machine reaches a listener. */
export function localUrl({ hostname, port }: { hostname: string; port: number }): string {
  const isAnywhere = hostname === '0.0.0.0' || hostname === '::';
  const host = isAnywhere ? 'localhost' : hostname;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
