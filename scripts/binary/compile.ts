import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PAGE_NAMES, readPage } from '../../src/assets/pages.ts';
import { sampleFiles } from '../../src/assets/sample-files.ts';
import { addonPackage } from './addon-packages.ts';
import { embeddedModel } from './embedded-model.ts';
import { ROOT } from './folders.ts';
import { hostTarget, type Target } from './targets.ts';

const PREPARER = 'src/operations/imports/prepare-rows-worker.ts';
const ENTRY_POINTS = ['src/main.ts', 'src/models/local-embedder-worker.ts', PREPARER];

/** Builds the program for one kind of machine, renamed into place when it is whole. */
export async function compile(target: Target, outfile: string): Promise<void> {
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
      // Never identifiers: Elysia reads the source of its handlers, and would skip validation.
      minify: { whitespace: true, syntax: true, identifiers: false },
      compile: {
        outfile: draft,
        ...(target === hostTarget() ? {} : { target: target.runtime }),
        // Both belong to whoever owns the folder that the binary is started in.
        autoloadBunfig: false,
        autoloadDotenv: false,
        autoloadTsconfig: false,
        autoloadPackageJson: false,
      },
      plugins: [await databaseAddon(target), embedded(target)],
    });
    renameSync(draft, outfile);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** libSQL computes the name of its addon's package at run time; a build has to know it. */
async function databaseAddon(target: Target): Promise<Bun.BunPlugin> {
  const addon = join(await addonPackage(target.databasePackage), 'index.node');
  return {
    name: 'database addon',
    setup(build) {
      build.onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const contents = source.replace('} = requireNative();', `} = ${opened(addon)};`);
        if (contents === source)
          throw new Error(`${path} loads its addon in a way this build does not know`);
        return { loader: 'js', contents };
      });
    },
  };
}

/** The expression that opens an addon inside the binary. */
function opened(addon: string): string {
  const loader = JSON.stringify(join(ROOT, 'scripts', 'binary', 'open-addon.ts'));
  const path = JSON.stringify(addon);
  return `require(${loader}).openAddon(() => require(${path}), require.resolve(${path}))`;
}

/** The modules that find files beside the source, replaced by ones that carry them. */
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
        // A module that has moved would be built as it is, and fail in the binary alone.
        if (!existsSync(file)) throw new Error(`the build replaces ${path}, which is not there`);
        const filter = new RegExp(`^${RegExp.escape(file)}$`);
        build.onLoad({ filter }, () => ({ loader: 'js', contents: contents() }));
      }
    },
  };
}
