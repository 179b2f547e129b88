import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import {
  FOLDER_FILES_MAX,
  FUNCTION_LINES_MAX,
  HOMES,
  JOINED_BY_THEIR_FOLDER,
  LINES_MAX,
  LONG_FILES,
  MAY_IMPORT,
} from './support/architecture.ts';
import { CATCHES } from './support/catches.ts';
import { DOORS } from './support/doors.ts';

/*
 * House rules that no compiler checks. Each list of faults names the file and what is wrong in it.
 */

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

/** `src/search/index/postings.ts` lives in the room `search/index`, `src/config.ts` in `config`. */
function roomOf(path: string): string {
  const folder = dirname(path).split('/').slice(1).join('/');
  return folder === '' ? partOf(path) : folder;
}

/** `src/http/exchange/errors.ts` belongs to `http`, `src/config.ts` to `config`. */
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
  const imported = IN_SRC.flatMap((source) =>
    importsOf(source)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => normalize(join(dirname(source.path), specifier)))
      .filter((target) => target.startsWith('src/') && roomOf(target) !== roomOf(source.path))
      .map((target) => ({ from: source.path, target })),
  );

  test('no import points upwards', () => {
    const faults = imported
      .filter(({ from, target }) => !MAY_IMPORT[roomOf(from)]?.includes(roomOf(target)))
      .map(
        ({ from, target }) =>
          `${from} imports ${target}: ${roomOf(from)} may not import ${roomOf(target)}`,
      );
    expect(faults).toEqual([]);
  });

  test('no room is allowed an import that it does not need, or is listed without being there', () => {
    const used = new Set(imported.map(({ from, target }) => `${roomOf(from)} → ${roomOf(target)}`));
    const rooms = new Set(IN_SRC.map(({ path }) => roomOf(path)));
    expect(
      Object.entries(MAY_IMPORT).flatMap(([room, allowed]) =>
        allowed.map((other) => `${room} → ${other}`).filter((arrow) => !used.has(arrow)),
      ),
    ).toEqual([]);
    expect([...rooms].filter((room) => !(room in MAY_IMPORT))).toEqual([]);
  });

  test('no two rooms import each other, straight or by way of others', () => {
    const reach = (room: string, reached = new Set<string>()): Set<string> => {
      for (const other of MAY_IMPORT[room] ?? [])
        if (!reached.has(other)) reach(other, reached.add(other));
      return reached;
    };
    const circular = Object.keys(MAY_IMPORT).filter((room) => reach(room).has(room));
    const folders = new Set(circular.map((room) => room.split('/')[0]!));
    expect([...folders]).toEqual(Object.keys(JOINED_BY_THEIR_FOLDER));
  });

  test('no folder holds more files than a reader takes in at a glance', () => {
    const counts = new Map<string, number>();
    for (const { path } of IN_SRC) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([]);
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
