import { describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import {
  ConfigError,
  dataFiles,
  environmentName,
  fileName,
  flagName,
  readConfig,
  SETTINGS,
} from '../src/config.ts';

const read = (sources: Partial<Parameters<typeof readConfig>[0]> = {}) =>
  readConfig({ dataFolder: 'data', flags: {}, environment: {}, file: {}, ...sources });

/** The error's message, one fault per line. */
function faultsOf(sources: Parameters<typeof read>[0]): string[] {
  try {
    read(sources);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [title, ...faults] = (error as Error).message.split('\n');
    expect(title).toBe('Bad configuration:');
    return faults.map((fault) => fault.trim());
  }
  return [];
}

test('every setting has a default that works on a laptop without a network', () => {
  const config = read();
  expect(config).toMatchObject({
    listen: { hostname: '127.0.0.1', port: 8787 },
    embedder: 'local',
    trustedProxies: [],
    dataFolder: resolve('data'),
  });
  expect(new Set(Object.values(config.origins))).toEqual(new Set(['default']));
});

test('a flag overrides the environment, which overrides the file, which overrides the default', () => {
  const sources = {
    flags: { logLevel: 'debug' },
    environment: { VITRINE_LOG_LEVEL: 'warn', VITRINE_EMBEDDER_THREADS: '2' },
    file: { log_level: 'error', embedder_threads: 3, embedder_budget_ms: 50 },
  };
  const { logLevel, embedderThreads, embedderBudgetMs, embedder, origins } = read(sources);
  expect([logLevel, embedderThreads, embedderBudgetMs, embedder]).toEqual([
    'debug',
    2,
    50,
    'local',
  ]);
  expect(origins).toMatchObject({
    logLevel: 'flag',
    embedderThreads: 'environment',
    embedderBudgetMs: 'vitrine.toml',
    embedder: 'default',
  });
});

test('DATABASE_URL sets database_url unless that is set, even to nothing', () => {
  const DATABASE_URL = 'http://127.0.0.1:8080';
  const urlOf = (environment: Record<string, string>) => read({ environment }).databaseUrl;
  expect(urlOf({ DATABASE_URL })).toBe(DATABASE_URL);
  expect(urlOf({ DATABASE_URL, VITRINE_DATABASE_URL: 'libsql://shop.example' })).toBe(
    'libsql://shop.example',
  );
  expect(urlOf({ DATABASE_URL, VITRINE_DATABASE_URL: '' })).toBeNull();
  expect(faultsOf({ environment: { DATABASE_URL: 'mysql://shop.example' } })[0]).toStartWith(
    'DATABASE_URL: must be a libSQL server’s address',
  );
});

test('a setting has one name in three spellings', () => {
  expect([
    flagName('embedderBudgetMs'),
    environmentName('embedderBudgetMs'),
    fileName('embedderBudgetMs'),
  ]).toEqual(['embedder-budget-ms', 'VITRINE_EMBEDDER_BUDGET_MS', 'embedder_budget_ms']);
  expect(flagName('scorerApiKey')).toBe('scorer-api-key-file');
});

test('the error lists every fault, each under the name that the caller used', () => {
  const faults = faultsOf({
    flags: { listen: 'nowhere' },
    environment: { VITRINE_EMBEDDER_THREADS: '0' },
    file: { log_level: 'loud', embeder: 'off' },
  });
  expect(faults).toEqual([
    '--listen: must be host:port, such as 127.0.0.1:8787',
    'VITRINE_EMBEDDER_THREADS: must be a whole number from 1 to 16',
    'log_level: must be one of debug, info, warn, error',
    'vitrine.toml: there is no setting "embeder"',
  ]);
});

describe('bounds', () => {
  test.each([
    ['embedderThreads', 'auto', true],
    ['embedderThreads', '1', true],
    ['embedderThreads', '16', true],
    ['embedderThreads', '17', false],
    ['embedderThreads', '0', false],
    ['embedderThreads', '-1', false],
    ['embedderThreads', '1.5', false],
    ['embedderThreads', '1e1', false],
    ['embedderThreads', '', false],
    ['embedderBudgetMs', '10', true],
    ['embedderBudgetMs', '9', false],
    ['embedderBudgetMs', '60000', true],
    ['embedderBudgetMs', '60001', false],
    ['listen', '0.0.0.0:0', true],
    ['listen', ' localhost:65535 ', true],
    ['listen', '[::1]:80', true],
    ['listen', '127.0.0.1:65536', false],
    ['listen', '127.0.0.1', false],
    ['listen', ':80', false],
    ['listen', '::1:80', false],
    ['listen', 'http://localhost:80', false],
    ['trustedProxies', '', true],
    ['trustedProxies', '10.0.0.0/8, ::1', true],
    ['trustedProxies', '10.0.0.0/32', true],
    ['trustedProxies', '10.0.0.0/33', false],
    ['trustedProxies', '::/128', true],
    ['trustedProxies', '::/129', false],
    ['trustedProxies', '10.0.0.0/', false],
    ['trustedProxies', '10.0.0.0/8/8', false],
    ['trustedProxies', 'proxy.example', false],
    ['embedderUrl', 'https://models.example/v1', true],
    ['embedderUrl', 'models.example', false],
    ['embedderUrl', 'ftp://models.example', false],
    ['databaseUrl', '', true],
    ['databaseUrl', 'libsql://shop.example', true],
    ['databaseUrl', 'libsql://127.0.0.1:8080?tls=0', true],
    ['databaseUrl', 'https://shop.example/path/', true],
    ['databaseUrl', 'http://127.0.0.1:8080', true],
    ['databaseUrl', 'libsql://127.0.0.1?tls=0', false],
    ['databaseUrl', 'https://shop.example?tls=0', false],
    ['databaseUrl', 'https://shop.example?authToken=x', false],
    ['databaseUrl', 'https://user:word@shop.example', false],
    ['databaseUrl', 'https://shop.example#x', false],
    ['databaseUrl', 'wss://shop.example', false],
    ['databaseUrl', 'postgres://shop.example/db', false],
    ['databaseUrl', 'file:vitrine.db', false],
    ['databaseUrl', 'vitrine.db', false],
    ['embedder', 'off', true],
    ['embedder', 'Off', false],
  ])('%s %j: %p', (name, text, isGood) => {
    expect(faultsOf({ flags: { [name]: text } })).toHaveLength(isGood ? 0 : 1);
  });
});

test.each([
  ['0.0.0.0:0', { hostname: '0.0.0.0', port: 0 }],
  ['[::1]:80', { hostname: '::1', port: 80 }],
  ['localhost:8080', { hostname: 'localhost', port: 8080 }],
])('--listen %s', (text, expected) => {
  expect(read({ flags: { listen: text } }).listen).toEqual(expected);
});

test('the file may give a list as an array', () => {
  const { trustedProxies } = read({ file: { trusted_proxies: ['10.0.0.0/8', '::1'] } });
  expect(trustedProxies).toEqual(['10.0.0.0/8', '::1']);
});

test('an endpoint without its address or model is a fault', () => {
  const fault = ['the embedder "endpoint" needs embedder_url and embedder_model'];
  const embedder = 'endpoint';
  expect(faultsOf({ flags: { embedder } })).toEqual(fault);
  expect(faultsOf({ flags: { embedder, embedderUrl: 'https://m.example' } })).toEqual(fault);
  expect(faultsOf({ flags: { embedder, embedderModel: 'm' } })).toEqual(fault);
  const flags = { embedder, embedderUrl: 'https://m.example', embedderModel: 'm' };
  expect(faultsOf({ flags })).toEqual([]);
});

test('a fault never quotes the value, which may be a misplaced secret', () => {
  const flags = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, 'hunter2 hunter2']));
  const faults = faultsOf({ flags });
  expect(faults.length).toBeGreaterThan(3);
  expect(faults.join()).not.toContain('hunter2');
});

test('exactly the settings that hold credentials are secret', () => {
  const secrets = Object.entries(SETTINGS).filter(([, setting]) => 'secret' in setting);
  expect(secrets.map(([name]) => name)).toEqual(
    Object.keys(SETTINGS).filter((name) => /key|secret|token|password/i.test(name)),
  );
});

test('other environment variables are ignored', () => {
  expect(faultsOf({ environment: { HOME: '/root', VITRINE_DATA: '/data' } })).toEqual([]);
});

test('a data folder has three files', () => {
  expect(Object.values(dataFiles('/data'))).toEqual([
    '/data/vitrine.db',
    '/data/vitrine.lock',
    '/data/vitrine.toml',
  ]);
});
