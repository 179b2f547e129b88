import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

/*
 * House rules that no compiler checks. Each list of faults names the file and what is wrong in it; a
 * list of exceptions gives a reason for each, and an exception that is no longer needed is a fault too.
 */

/** Each part of src/ and what it may import; a part may always import itself. Nothing points upwards. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
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
const HOMES: Readonly<Record<string, readonly string[]>> = {
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
const SHOWS_TIME = 'a command that waits for a person and shows how long';

/** The outside world has one door each, so that tests control it and stdout stays what a command prints. */
const DOORS: readonly Door[] = [
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
      'src/cli/catalog.ts': SHOWS_TIME,
      'src/cli/catalog-validate.ts': 'a sale counts while its dates hold',
      'src/cli/catalog-stats.ts': SHOWS_TIME,
      'src/cli/demo.ts': SHOWS_TIME,
      'src/cli/eval.ts': SHOWS_TIME,
      'src/cli/hits.ts': SHOWS_TIME,
      'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
      'src/cli/eval-askers.ts': SHOWS_TIME,
      'src/cli/mcp.ts': 'gives up on a server that does not answer',
      'src/models/remote-embedder.ts': 'gives up on a request',
      'src/web/download.ts': 'gives up on a request',
      'src/models/chat-endpoint.ts': 'gives up on a request',
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
const CATCHES: Readonly<Record<string, string>> = {
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
  'src/ops/admin.ts': 'answers it',
  'src/ops/operator-server.ts': 'answers it',
  'src/ops/operator-listener.ts': 'answers it',
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
  'src/operations/services.ts': 'a failed turn does not stop the next one',
  'src/operations/score-candidates.ts': 'searches on without the language model',
  'src/operations/open-catalog-url.ts': 'what a shop need not have is left out',
  'src/operations/refresh-next-source.ts': 'keeps the failure with the source',
  'src/catalog/encoding.ts': 'names an encoding that there is none of',
  'src/catalog/decompress.ts': 'names a damaged archive',
  'src/catalog/json-text.ts': 'makes a fault of a wrong line',
  'src/catalog/markdown-contexts.ts': 'makes a fault of wrong front matter',
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
  'src/cli/catalog-stats.ts': 'an aborted sleep is a sleep that ended',
  'src/cli/serve.ts': 'serves on without the operator’s listener where nobody chose its address',
  'src/cli/doctor.ts': 'makes a line of it',
  'src/cli/machine-checks.ts':
    'a port that is taken, a folder that lets nothing run: what it looks for',
  'src/cli/demo.ts': 'another port when the usual one is taken',
  'src/cli/eval-askers.ts': 'cleans up a failed evaluation and passes it on',
  'src/cli/eval-files.ts': 'names the line of a wrong file',
  'src/cli/hits.ts': 'an aborted sleep is a sleep that ended',
  'src/assets/edge-worker.ts': RUNS_ELSEWHERE,
};

const LINES_MAX = 400;

/** Files that hold one long table and nothing else to read. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'src/assets/sample-pictures.ts': 'drawings, one small function each',
};

const FUNCTION_LINES_MAX = 70;

const ROOT = normalize(new URL('../', import.meta.url).pathname);

/** Everything that is or would be committed. */
const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

interface Source {
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const SOURCES: readonly Source[] = FILES.filter((path) => path.endsWith('.ts')).map((path) => {
  const text = read(path);
  const code = text
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*$/gm, '')
    .replace(/(?:^|[ \t])\/\/ .*$/gm, '');
  return { path, text, code };
});

const IN_SRC = SOURCES.filter(({ path }) => path.startsWith('src/'));

/** What a file imports, types included, as it is written there. */
function importsOf({ code }: Source): string[] {
  const statements =
    /^(?:import|export)\s[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...code.matchAll(statements)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic!);
}

/** `src/http/errors.ts` belongs to `http`, `src/config.ts` to `config`. */
function partOf(path: string): string {
  return path.split('/')[1]!.replace(/\.ts$/, '');
}

/** `@libsql/client/web` is of the library `@libsql/client`. */
function libraryOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Faults of files that use what only `allowed` may, and of exceptions that nobody uses. */
function faultsOf(
  rule: { name: string; allowed: Readonly<Record<string, string>> },
  isUsed: (source: Source) => boolean,
): string[] {
  const users = IN_SRC.filter(isUsed).map(({ path }) => path);
  return [
    ...users.filter((path) => !(path in rule.allowed)).map((path) => `${path} uses ${rule.name}`),
    ...Object.keys(rule.allowed)
      .filter((path) => !users.includes(path))
      .map((path) => `${path} need not be allowed ${rule.name}`),
  ];
}

describe('architecture', () => {
  test('no import points upwards', () => {
    const faults = IN_SRC.flatMap((source) => {
      const part = partOf(source.path);
      return importsOf(source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => normalize(join(dirname(source.path), specifier)))
        .filter((target) => target.startsWith('src/') && partOf(target) !== part)
        .filter((target) => !MAY_IMPORT[part]?.includes(partOf(target)))
        .map(
          (target) => `${source.path} imports ${target}: ${part} may not import ${partOf(target)}`,
        );
    });
    expect(faults).toEqual([]);
  });

  test('nothing but package.json is imported from outside src/', () => {
    const faults = IN_SRC.flatMap((source) =>
      importsOf(source)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => normalize(join(dirname(source.path), specifier)))
        .filter((target) => !target.startsWith('src/') && target !== 'package.json')
        .map((target) => `${source.path} imports ${target}`),
    );
    expect(faults).toEqual([]);
  });

  test('every part of src/ has its place', () => {
    const parts = [...new Set(IN_SRC.map(({ path }) => partOf(path)))];
    expect(parts.filter((part) => !(part in MAY_IMPORT))).toEqual([]);
  });

  test('each library has one home, and is a dependency', () => {
    const faults = IN_SRC.flatMap((source) =>
      importsOf(source)
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map(libraryOf)
        .filter(
          (library) =>
            !(library in packageJson.dependencies) ||
            HOMES[library]?.includes(partOf(source.path)) !== true,
        )
        .map((library) => `${source.path} imports ${library}`),
    );
    expect(faults).toEqual([]);
  });

  test.each(DOORS.map((door) => [door.name, door] as const))(
    'the outside world has one door: %s',
    (_, door) => {
      expect(faultsOf(door, ({ code }) => door.pattern.test(code))).toEqual([]);
    },
  );

  test('an error is caught only where something can be done about it', () => {
    const rule = { name: 'catch', allowed: CATCHES };
    expect(faultsOf(rule, ({ code }) => /\bcatch\s*[({]/.test(code))).toEqual([]);
  });
});

/** Places of functions that are longer than allowed, told by the indentation of their braces. */
function longFunctions({ path, text }: Source): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const isFunction = /(?:=>|\)(?:: .+)?) \{$/.test(line);
    const isStatement =
      /^\s*(?:\}|if|for|while|switch|class)\b/.test(line) || line.includes('else');
    if (!isFunction || isStatement) return [];
    const indentation = /^ */.exec(line)![0];
    const end = lines.findIndex((later, at) => at > start && later.startsWith(`${indentation}}`));
    const length = end - start + 1;
    return length > FUNCTION_LINES_MAX ? [`${path}:${start + 1} has ${length} lines`] : [];
  });
}

describe('files', () => {
  test('none has more than 400 lines', () => {
    const lineCount = ({ text }: Source) => text.trimEnd().split('\n').length;
    const long = SOURCES.filter((source) => lineCount(source) > LINES_MAX);
    expect(
      long
        .filter(({ path }) => !(path in LONG_FILES))
        .map((source) => `${source.path} has ${lineCount(source)} lines`),
    ).toEqual([]);
    expect(Object.keys(LONG_FILES)).toEqual(
      long.map(({ path }) => path).filter((path) => path in LONG_FILES),
    );
  });

  test('no function has more than 70 lines', () => {
    expect(IN_SRC.flatMap(longFunctions)).toEqual([]);
  });

  test('names are kebab-case and say what is inside', () => {
    const faults = SOURCES.map(({ path }) => path).filter((path) => {
      const name = path
        .split('/')
        .at(-1)!
        .replace(/(?:\.test|\.d)?\.ts$/, '');
      const isVague = /(?:^|-)(?:utils?|helpers?|common|manager|misc|constants)(?:-|$)/.test(name);
      return isVague || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
    });
    expect(faults).toEqual([]);
  });

  test('imports are relative with their extension, of node: or of a package, never of an alias', () => {
    const packages = { ...packageJson.dependencies, ...packageJson.devDependencies };
    const isGood = (specifier: string) =>
      specifier.startsWith('.')
        ? /\.(?:ts|json|sql|html|md|txt|jsonl)$/.test(specifier)
        : /^(?:node:|bun:|bun$)/.test(specifier) || libraryOf(specifier) in packages;
    const faults = SOURCES.flatMap((source) =>
      importsOf(source)
        .filter((specifier) => !isGood(specifier))
        .map((specifier) => `${source.path} imports ${specifier}`),
    );
    expect(faults).toEqual([]);
    expect(read('tsconfig.json')).not.toMatch(/"(?:paths|baseUrl)"/);
  });

  test('nothing is left to be done', () => {
    const marks = /\b(?:TO|FIX)(?:DO|ME)\b|\bX{3}\b/;
    expect(SOURCES.filter(({ text }) => marks.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('none names a folder of some machine, or a registry', () => {
    const foreign = [
      /(?<![\w.~])\/(?:home|root|Users|work|workspace|mnt)\/[\w.-]+/,
      /\b[A-Z]:\\Users\\/,
      /\bregistry\.[a-z]+|\/(?:artifactory|nexus)\//,
    ];
    const isText = (path: string) => !/\.(?:gz|png|jpg|webp|ico|woff2|onnx|wasm|db)$/.test(path);
    const faults = FILES.filter((path) => isText(path) && path !== 'tests/tidy.test.ts').flatMap(
      (path) => {
        const text = read(path);
        return foreign.flatMap((pattern) => {
          const found = pattern.exec(text)?.[0];
          return found === undefined ? [] : [`${path}: ${found}`];
        });
      },
    );
    expect(faults).toEqual([]);
  });
});
