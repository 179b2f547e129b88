/**
 * Makes a release in dist/release: a binary for each platform, the container image, the installer,
 * the bill of materials, the licences, and a checksum of each file.
 *
 *   bun run release                       everything
 *   bun run release --target linux-x64    binaries for these targets alone; repeat it for several
 *   bun run release --check               builds again afterwards and compares every byte
 *
 * The image needs Debian on x64. Elsewhere, the release omits it and says so.
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { compile } from './binary/compile.ts';
import { ROOT } from './binary/folders.ts';
import { TARGETS, type Target, targetNamed } from './binary/targets.ts';
import { billOfMaterials, checksums, componentsOf, notices, sha256 } from './release/components.ts';
import { assembleImage } from './release/image.ts';

const FOLDER = join(ROOT, 'dist', 'release');
const SECOND_BUILD = join(ROOT, 'dist', 'second-build');
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
makeImage();
writeFileSync(join(FOLDER, 'SHA256SUMS'), checksums(FOLDER));
console.log(`${components.length} components, checksums in ${join(FOLDER, 'SHA256SUMS')}`);
if (values.check === true) await buildAgain();

function fileOf({ name: target, suffix }: Target): string {
  return `vitrine-${target}${suffix}`;
}

function makeImage(): void {
  const binary = targets.find((target) => target.name === 'linux-x64');
  if (binary === undefined || process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('left out: the container image (it needs Debian on x64, and the target linux-x64)');
    return;
  }
  const outfile = join(FOLDER, 'vitrine-linux-x64.image.tar');
  assembleImage(join(FOLDER, fileOf(binary)), { tag: `vitrine:${version}`, outfile });
  console.log('assembled vitrine-linux-x64.image.tar');
}

/** Exits with 1 if a second build differs. */
async function buildAgain(): Promise<void> {
  mkdirSync(SECOND_BUILD, { recursive: true });
  try {
    for (const target of targets) {
      const again = join(SECOND_BUILD, fileOf(target));
      await compile(target, again);
      const isSame = sha256(again) === sha256(join(FOLDER, fileOf(target)));
      console.log(`${isSame ? 'same bytes again' : 'DIFFERENT BYTES'}: ${fileOf(target)}`);
      if (!isSame) process.exitCode = 1;
    }
  } finally {
    rmSync(SECOND_BUILD, { recursive: true, force: true });
  }
}
