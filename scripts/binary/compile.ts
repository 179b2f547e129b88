import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PAGE_NAMES, readPage } from '../../src/assets/pages.ts';
import { sampleFiles } from '../../src/assets/sample-files.ts';
import { addonPackage } from './addon-packages.ts';
import { embeddedModel } from './embedded-model.ts';
import { ROOT } from './folders.ts';
import { hostTarget, type Target } from './targets.ts';

const PREPARER = 'src/operations/imports/prepare-rows-worker.ts';
const ENTRY_POINTS = ['src/main.ts', 'src/models/local-embedder-worker.ts', PREPARER];

/**
 * Builds the binary for one platform and renames it into place when it is complete. The same source
 * and lock file in the same folder give the same bytes. Resolves to the sorted folders of the packages
 * whose code it contains.
 */
export async function compile(target: Target, outfile: string): Promise<string[]> {
  const packages = new Set([await addonPackage(target.databasePackage)]);
  const scratch = `${dirname(outfile)}/.${basename(outfile)}.${process.pid}`;
  const draft = join(scratch, basename(outfile));
  mkdirSync(scratch, { recursive: true });
  try {
    await Bun.build({
      entrypoints: ENTRY_POINTS.map((path) => join(ROOT, path)),
      root: ROOT,
      target: 'bun',
      format: 'esm',
      bytecode: true,
      sourcemap: 'linked',
      // Never minify identifiers: Elysia reads the source of its handlers, and would skip
      // validation.
      minify: { whitespace: true, syntax: true, identifiers: false },
      compile: {
        outfile: draft,
        ...(target === hostTarget() ? {} : { target: target.runtime }),
        // Both files belong to the owner of the folder in which the binary is started.
        autoloadBunfig: false,
        autoloadDotenv: false,
        autoloadTsconfig: false,
        autoloadPackageJson: false,
      },
      plugins: [recorded(packages), await databaseAddon(target), embedded(target)],
    });
    renameSync(draft, outfile);
    return [...packages].sort();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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

const DATABASE_ADDON = 'vitrine:database-addon';

/** libSQL computes the name of its addon package at run time, but a build must know it. */
async function databaseAddon(target: Target): Promise<Bun.BunPlugin> {
  // Under another extension, because Bun handles `.node` files itself and would not find this one.
  const addon = join(ROOT, 'build', `${basename(target.databasePackage)}.addon`);
  copyFileSync(join(await addonPackage(target.databasePackage), 'index.node'), addon);
  const loader = JSON.stringify(join(ROOT, 'scripts', 'binary', 'open-addon.ts'));
  const opened = `require(${loader}).openAddon(require('${DATABASE_ADDON}').default)`;
  return {
    name: 'database addon',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${DATABASE_ADDON}$`) }, ({ path }) => ({
        path,
        namespace: 'vitrine',
      }));
      build.onLoad({ filter: /./, namespace: 'vitrine' }, () => ({
        loader: 'js',
        contents: `export { default } from ${JSON.stringify(addon)} with { type: 'file' };`,
      }));
      build.onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/ }, ({ path }) => {
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
}

/** Replaces the modules that read files beside the source with modules that embed those files. */
function embedded(target: Target): Bun.BunPlugin {
  const replacements = {
    'src/models/model-files.ts': () => embeddedModel(target),
    'src/operations/imports/preparer-thread.ts': () =>
      `export const preparerThread = () => './${PREPARER}';\n`,
    'src/assets/sample-files.ts': () =>
      `const FILES = ${JSON.stringify(sampleFiles())};\nexport const sampleFiles = () => FILES;\n`,
    'src/assets/pages.ts': () => {
      const pages = Object.fromEntries(PAGE_NAMES.map((name) => [name, readPage(name)]));
      return `const PAGES = ${JSON.stringify(pages)};\nexport const readPage = (page) => PAGES[page];\n`;
    },
  };
  return {
    name: 'embedded files',
    setup(build) {
      for (const [path, contents] of Object.entries(replacements)) {
        const file = join(ROOT, path);
        // If a module has moved, the build would include the original, which fails only in the
        // binary.
        if (!existsSync(file)) throw new Error(`the build replaces ${path}, which is not there`);
        const filter = new RegExp(`^${RegExp.escape(file)}$`);
        build.onLoad({ filter }, () => ({ loader: 'js', contents: contents() }));
      }
    },
  };
}
