/**
 * Makes a release in dist/release: a binary for each platform, the container images, the installer,
 * the bill of materials, the licences, and a checksum of each file.
 *
 *   bun run release                       everything
 *   bun run release --target linux-x64    binaries for these targets alone; repeat it for several
 *   bun run release --check               then releases a copy of the source in another folder and
 *                                         compares every file
 *
 * An image needs Debian's libraries for its platform. Without them, the release omits it and says so.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { compile } from './binary/compile.ts';
import { ROOT } from './binary/folders.ts';
import { TARGETS, type Target, targetNamed } from './binary/targets.ts';
import { billOfMaterials, checksums, componentsOf, notices } from './release/components.ts';
import { assembleImage, IMAGE_PLATFORMS, missingLibraries } from './release/image.ts';

const FOLDER = join(ROOT, 'dist', 'release');
/** Everything that a release is made from. */
const SOURCE = ['package.json', 'bun.lock', 'tsconfig.json', 'src', 'scripts'];
const { name, version } = packageJson;

const { values } = parseArgs({
  options: { target: { type: 'string', multiple: true }, check: { type: 'boolean' } },
});
const targets = values.target?.map(targetNamed) ?? TARGETS;

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const packages = new Set<string>();
for (const target of targets) {
  for (const folder of await compile(target, join(FOLDER, fileOf(target)))) packages.add(folder);
  console.log(`built ${fileOf(target)}`);
}
const components = componentsOf([...packages], Bun.version);
writeFileSync(join(FOLDER, 'vitrine.cdx.json'), billOfMaterials({ name, version }, components));
writeFileSync(join(FOLDER, 'LICENSES.txt'), notices(components));
for (const file of ['install.sh', 'Dockerfile'])
  copyFileSync(join(ROOT, 'scripts', 'release', file), join(FOLDER, file));
makeImages();
writeFileSync(join(FOLDER, 'SHA256SUMS'), checksums(FOLDER));
console.log(`${components.length} components, checksums in ${join(FOLDER, 'SHA256SUMS')}`);
if (values.check === true) releaseAgain();

function fileOf({ name: target, suffix }: Target): string {
  return `vitrine-${target}${suffix}`;
}

function makeImages(): void {
  for (const platform of IMAGE_PLATFORMS) {
    const file = `vitrine-${platform.target}.image.tar`;
    const missing = missingLibraries(platform);
    if (!targets.some((target) => target.name === platform.target)) continue;
    if (missing.length > 0) {
      console.log(`left out: ${file} (this machine has no ${missing.join(', ')} for it)`);
      continue;
    }
    const binary = join(FOLDER, `vitrine-${platform.target}`);
    const tag = `vitrine:${version}`;
    assembleImage(binary, { platform, tag, outfile: join(FOLDER, file) });
    console.log(`assembled ${file}`);
  }
}

/** Releases a clean copy of the source in another folder. Exits with 1 if a file differs. */
function releaseAgain(): void {
  const copy = mkdtempSync(join(tmpdir(), 'vitrine-release-again-'));
  try {
    for (const path of SOURCE) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    const bun = (...args: string[]) =>
      execFileSync(process.execPath, args, { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
    bun('install', '--frozen-lockfile');
    bun('scripts/release.ts', ...targets.flatMap((target) => ['--target', target.name]));
    const again = checksums(join(copy, 'dist', 'release'));
    for (const line of checksums(FOLDER).trimEnd().split('\n')) {
      const isSame = again.includes(`${line}\n`);
      const file = line.slice(line.indexOf('  ') + 2);
      console.log(`${isSame ? 'same bytes again' : 'DIFFERENT BYTES'}: ${file}`);
      if (!isSame) process.exitCode = 1;
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
