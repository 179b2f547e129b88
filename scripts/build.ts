/**
 * Builds the binary.
 *
 *   bun scripts/build.ts                            dist/vitrine, for this machine
 *   bun scripts/build.ts --target linux-arm64-musl  dist/vitrine-linux-arm64-musl
 *   bun scripts/build.ts --all                      one for each target
 *
 * Bun fetches the runtimes for other platforms from the package registry; this script fetches their
 * addons.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { addonPackage } from './binary/addon-packages.ts';
import { compile } from './binary/compile.ts';
import { modelFiles } from './binary/embedded-model.ts';
import { ROOT } from './binary/folders.ts';
import { hostTarget, TARGETS, type Target, targetNamed } from './binary/targets.ts';

const DIST = join(ROOT, 'dist');
const BYTES_PER_MB = 1e6;

try {
  const { values } = parseArgs({
    options: { target: { type: 'string' }, all: { type: 'boolean' } },
  });
  mkdirSync(DIST, { recursive: true });
  if (values.all === true)
    for (const target of TARGETS) await build(target, `vitrine-${target.name}`);
  else if (values.target !== undefined)
    await build(targetNamed(values.target), `vitrine-${values.target}`);
  else await build(hostTarget(), 'vitrine');
} catch (error) {
  const faults = error instanceof AggregateError ? error.errors : [error];
  for (const fault of faults)
    console.error(`build: ${fault instanceof Error ? fault.message : String(fault)}`);
  process.exitCode = 1;
}

async function build(target: Target, name: string): Promise<void> {
  const outfile = join(DIST, `${name}${target.suffix}`);
  await step(`addon ${target.databasePackage}`, async () =>
    join(await addonPackage(target.databasePackage), 'index.node'),
  );
  await step(
    `model ${target.inference === null ? 'for WebAssembly' : 'and native runtime'}`,
    async () => {
      const { native, wasm, model, vocabulary } = modelFiles(target);
      const packed = native?.kind === 'packed' ? [native.addon.path, native.library.path] : [];
      return [model, vocabulary, wasm?.binary ?? [], ...packed].flat();
    },
  );
  await step(relative(ROOT, outfile), async () => {
    await compile(target, outfile);
    return outfile;
  });
}

/** Runs a step that produces files, and prints their sizes and the time it took. */
async function step(label: string, make: () => Promise<string | string[]>): Promise<void> {
  const startedMs = performance.now();
  const bytes = [await make()].flat().reduce((sum, path) => sum + statSync(path).size, 0);
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(
    `${label.padEnd(44)} ${(bytes / BYTES_PER_MB).toFixed(1).padStart(7)} MB ${seconds.toFixed(1).padStart(6)} s`,
  );
}
