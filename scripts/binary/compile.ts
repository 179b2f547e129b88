import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PAGE_NAMES, readPage } from '../../src/assets/pages.ts';
import { sampleFiles } from '../../src/assets/sample-files.ts';
import { addonPackage } from './addon-packages.ts';
import { embeddedModel } from './embedded-model.ts';
import { importName, ROOT } from './folders.ts';
import { hostTarget, type Target } from './targets.ts';

const PREPARER = 'src/operations/imports/prepare-rows-worker.ts';
const INDEXER = 'src/operations/indexes/build-index-worker.ts';
const READER = 'src/cli/catalog/read-rows-worker.ts';
const EMBEDDER = 'src/models/local-embedder-worker.ts';
const ENTRY_POINTS = ['src/main.ts', EMBEDDER, PREPARER, INDEXER, READER];

/**
 * Builds the binary for one platform and renames it into place when it is complete. The same source
 * and lock file give the same bytes, in whatever folder. Resolves to the sorted folders of the
 * packages whose code it contains.
 */
export async function compile(target: Target, outfile: string): Promise<string[]> {
  const packages = new Set<string>();
  const scratch = `${dirname(outfile)}/.${basename(outfile)}.${process.pid}`;
  const draft = join(scratch, basename(outfile));
  mkdirSync(scratch, { recursive: true });
  try {
    await Bun.build({
      ...(await bundle(target, packages)),
      bytecode: true,
      compile: {
        outfile: draft,
        ...(target === hostTarget() ? {} : { target: target.runtime }),
        // Both files belong to the owner of the folder in which the binary is started.
        autoloadBunfig: false,
        autoloadDotenv: false,
        autoloadTsconfig: false,
        autoloadPackageJson: false,
      },
    });
    renameSync(draft, outfile);
    return [...packages].sort();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * What a binary is made of, before it is compiled. The build adds the folders of the packages that it
 * contains to `packages`.
 */
export async function bundle(target: Target, packages: Set<string>): Promise<Bun.BuildConfig> {
  const addonFolder = await addonPackage(target.databasePackage);
  packages.add(addonFolder);
  return {
    entrypoints: ENTRY_POINTS.map((path) => join(ROOT, path)),
    root: ROOT,
    target: 'bun',
    format: 'esm',
    sourcemap: 'linked',
    // Never minify identifiers: Elysia reads the source of its handlers, and would skip validation.
    minify: { whitespace: true, syntax: true, identifiers: false },
    plugins: [recorded(packages), databaseAddon, embedded(target, addonFolder)],
  };
}

/** Collects the folder of each package from which the build reads a module. */
function recorded(packages: Set<string>): Bun.BunPlugin {
  return {
    name: 'packages',
    setup(build) {
      build.onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
        const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path);
        if (folder !== null) packages.add(folder[0]);
        return undefined;
      });
    },
  };
}

/** libSQL computes the name of its addon package at run time, but a build must know it. */
const databaseAddon: Bun.BunPlugin = {
  name: 'database addon',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/ }, ({ path }) => {
      const loader = importName(path, join(ROOT, 'scripts', 'binary', 'open-addon.ts'));
      const opened = `require(${JSON.stringify(loader)}).openAddon()`;
      const source = readFileSync(path, 'utf8');
      const contents = source
        // It contains the path of the build folder, which would make builds differ.
        .replace(/^function requireNative\(\) \{$.*?^\}$/ms, '')
        .replace('} = requireNative();', `} = ${opened};`);
      if (contents.includes('requireNative') || !contents.includes(opened))
        throw new Error(`${path} loads its addon in a way this build does not know`);
      return { loader: 'js', contents };
    });
  },
};

/** The module that replaces `database-addon.ts`, which is at `path`, in a binary. */
function embeddedAddon(addonFolder: string, path: string): string {
  // Under another extension, because Bun handles `.node` files itself and would not find this one.
  const addon = join(ROOT, 'build', `${basename(addonFolder)}.addon`);
  copyFileSync(join(addonFolder, 'index.node'), addon);
  const name = JSON.stringify(importName(path, addon));
  return `export { default } from ${name} with { type: 'file' };\n`;
}

/** Replaces the modules that read files beside the source with modules that embed those files. */
function embedded(target: Target, addonFolder: string): Bun.BunPlugin {
  const replacements: Record<string, (path: string) => string> = {
    'scripts/binary/database-addon.ts': (path) => embeddedAddon(addonFolder, path),
    'src/models/model-files.ts': (path) => embeddedModel(target, path),
    'src/operations/imports/preparer-thread.ts': () =>
      `export const preparerThread = () => './${PREPARER}';\n`,
    'src/operations/indexes/index-thread.ts': () =>
      `export const indexThread = () => './${INDEXER}';\n`,
    'src/cli/catalog/reader-thread.ts': () => `export const readerThread = () => './${READER}';\n`,
    'src/assets/sample-files.ts': () =>
      `const FILES = ${JSON.stringify(sampleFiles())};\nexport const sampleFiles = () => FILES;\n`,
    'src/assets/pages.ts': () => {
      const pages = Object.fromEntries(PAGE_NAMES.map((name) => [name, readPage(name)]));
      return `const PAGES = ${JSON.stringify(pages)};\nexport const readPage = (page) => PAGES[page];\n`;
    },
  };
  // Made before the build, which does not see files that are written into a folder after it has
  // looked there.
  const modules = Object.entries(replacements).map(([path, contentsFor]) => {
    const file = join(ROOT, path);
    // If a module has moved, the build would include the original, which fails only in the binary.
    if (!existsSync(file)) throw new Error(`the build replaces ${path}, which is not there`);
    return { filter: new RegExp(`^${RegExp.escape(file)}$`), contents: contentsFor(file) };
  });
  return {
    name: 'embedded files',
    setup(build) {
      for (const { filter, contents } of modules)
        build.onLoad({ filter }, () => ({ loader: 'js', contents }));
    },
  };
}
