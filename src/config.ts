import { isIP } from 'node:net';
import { join, resolve } from 'node:path';

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
    'Search by meaning: "local" (built-in model), "endpoint" or "off".',
    'local',
    oneOf('local', 'endpoint', 'off'),
  ),
  embedderUrl: setting('OpenAI-compatible endpoint for embeddings.', '', parseUrl),
  embedderModel: setting('Model to ask that endpoint for.', '', parseText),
  embedderApiKey: { ...setting('Key for that endpoint.', '', parseText), secret: true },
  embedderBudgetMs: setting(
    'Longest that a search waits for the embedding of its question, in ms.',
    '400',
    integer(10, 60_000),
  ),
  embedderThreads: setting('Threads of the built-in model.', '1', integer(1, 16)),
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
    'Memory for searching catalogues, in MB; catalogues that do not fit are searched on disk. 0: always on disk.',
    '256',
    integer(0, 65_536),
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
  if (typeof values['scorerUrl'] === 'string' && values['scorerModel'] === '') {
    faults.push('scorer_url needs a scorer_model');
  }
  if (typeof values['writerUrl'] === 'string' && values['writerModel'] === '') {
    faults.push('writer_url needs a writer_model');
  }
  if (faults.length > 0)
    throw new ConfigError(`Bad configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return { ...(values as Values), dataFolder: resolve(dataFolder), origins, spelled } as Config;
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

function oneOf<const Choice extends string>(
  ...choices: readonly Choice[]
): (text: string) => Choice {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) throw new RangeError(`must be one of ${choices.join(', ')}`);
    return chosen;
  };
}

function integer(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= minimum && value <= maximum))
      throw new RangeError(`must be a whole number from ${minimum} to ${maximum}`);
    return value;
  };
}

/** The URL at which a program on this machine reaches a listener. */
export function localUrl({ hostname, port }: { hostname: string; port: number }): string {
  const isAnywhere = hostname === '0.0.0.0' || hostname === '::';
  const host = isAnywhere ? 'localhost' : hostname;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** `host:port` or `[::1]:port`; port 0 picks a free port. */
function parseAddress(text: string): { hostname: string; port: number } {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const hostname = bracketed ?? plain;
  const port = Number(digits);
  if (hostname === undefined || port > 65_535)
    throw new RangeError('must be host:port, such as 127.0.0.1:8787');
  return { hostname, port };
}

function parseAddressOrOff(text: string): { hostname: string; port: number } | null {
  return text === 'off' ? null : parseAddress(text);
}

/** Drops the trailing slash, so that a path can be appended. */
function parsePublicUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new RangeError('must be an https address such as https://shop.example');
  return url.href.replace(/\/+$/, '');
}

function parseHosts(text: string): readonly string[] {
  const hosts = parseList(text);
  if (hosts.some((host) => !/^[A-Za-z0-9.-]+$/.test(host)))
    throw new RangeError('must be host names without ports, such as shop.example');
  return hosts;
}

function parseOrigins(text: string): readonly string[] {
  const origins = parseList(text);
  if (origins.some((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin))
    throw new RangeError('must be origins such as https://shop.example');
  return origins;
}

function parseList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function parseNetworks(text: string): readonly string[] {
  const entries = parseList(text);
  for (const entry of entries) {
    const [address = '', prefix, ...further] = entry.split('/');
    const bits = isIP(address) === 6 ? 128 : 32;
    const isNetwork = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (isIP(address) === 0 || !isNetwork || further.length > 0) {
      throw new RangeError('must be addresses or networks such as 10.0.0.0/8');
    }
  }
  return entries;
}

/** The URL of a libSQL server. A token in it is refused, because the URL is printed and logged. */
function parseDatabaseUrl(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(?:libsql|https?):$/.test(url.protocol) || url.hostname === '')
    throw new RangeError(
      'must be a libSQL server’s address, such as libsql://shop.example or http://127.0.0.1:8080; to use a file in the data folder although DATABASE_URL is set, set VITRINE_DATABASE_URL to nothing',
    );
  if (url.username !== '' || url.password !== '' || url.searchParams.has('authToken'))
    throw new RangeError('must not contain a secret: put it into database_auth_token');
  const isPlain = url.protocol === 'libsql:' && url.search === '?tls=0' && url.port !== '';
  if ((url.search !== '' && !isPlain) || url.hash !== '')
    throw new RangeError('must have no query except ?tls=0, which needs libsql:// and a port');
  return text;
}

function parseText(text: string): string {
  if (text.includes('\0')) throw new RangeError('must be text');
  return text;
}

function parseUrl(text: string): string | null {
  if (text === '') return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new RangeError('must be an http(s) address');
  return text;
}
