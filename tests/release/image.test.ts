import { afterAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hostTarget } from '../../scripts/binary/targets.ts';
import {
  assembleImage,
  IMAGE_PLATFORMS,
  IMAGE_USER,
  missingLibraries,
} from '../../scripts/release/image.ts';
import { BINARY } from '../e2e/built-binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

/** Offset of the architecture in the header of a program or library, and its values (elf.h). */
const ELF_MACHINE = 18;
const MACHINES = { amd64: 62, arm64: 183 };

const OWN = IMAGE_PLATFORMS.find(({ target }) => target === hostTarget().name)!;
const isDebian = OWN !== undefined && missingLibraries(OWN).length === 0;
const isRoot = process.getuid?.() === 0;
const canLookInside = BINARY !== null && isDebian && isRoot && hasCommands('tar', 'unshare');
if (!canLookInside)
  process.stderr.write('skipped: the container image (wants the binary, Debian, and root)\n');

function hasCommands(...names: string[]): boolean {
  return names.every((name) => Bun.which(name) !== null);
}

/** An image's configuration, and its file system in a folder. Also checks that its digests are right. */
function unpacked(image: string, folder: string) {
  const archive = join(folder, 'archive');
  const root = join(folder, 'root');
  for (const path of [archive, root]) mkdirSync(path, { recursive: true });
  execFileSync('tar', ['-xf', image, '-C', archive]);
  const json = (path: string) => JSON.parse(readFileSync(join(archive, path), 'utf8'));
  const [{ Config, Layers }] = json('manifest.json');
  const config = json(Config);
  expect(`sha256:${Layers[0].split('/').at(-1)}`).toBe(config.rootfs.diff_ids[0]);
  const [{ digest }] = json('index.json').manifests;
  expect(json(`blobs/sha256/${digest.slice('sha256:'.length)}`).layers).toHaveLength(1);
  execFileSync('tar', ['-xpf', join(archive, Layers[0]), '-C', root, '--numeric-owner']);
  return { config, root };
}

/** Runs the image's program as its user, in its own root, with /proc and /dev as a container has them. */
function runInside(root: string, script: string): string {
  const program = `/usr/sbin/chroot --userspec=${IMAGE_USER}:${IMAGE_USER} ${root} /usr/local/bin/vitrine`;
  const mounts = `mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev`;
  const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', VITRINE_DATA: '/data' };
  const command = ['-m', 'sh', '-c', `${mounts} && ${script.replaceAll('vitrine', program)}`];
  return execFileSync('unshare', command, { env: environment, encoding: 'utf8', stdio: 'pipe' });
}

test.skipIf(!canLookInside)(
  'the image holds all that the program needs, and runs it as a user without rights',
  () => {
    const outfile = join(temporary.path, 'image.tar');
    assembleImage(BINARY!, { platform: OWN, tag: 'vitrine:test', outfile });
    const { config, root } = unpacked(outfile, join(temporary.path, 'own'));
    expect(config.config.User).toBe(`${IMAGE_USER}:${IMAGE_USER}`);
    expect(config.config.Healthcheck.Test).toEqual(['CMD', '/usr/local/bin/vitrine', 'ready']);
    const { uid, mode } = statSync(join(root, 'data'));
    expect([uid, mode & 0o777]).toEqual([IMAGE_USER, 0o700]);
    for (const folder of ['proc', 'dev']) mkdirSync(join(root, folder));
    const said = runInside(root, 'vitrine init --org Acme --json && vitrine catalog stats --json');
    expect(said).toContain('"apiKey"');
  },
  60_000,
);

const platforms = IMAGE_PLATFORMS.filter((platform) => missingLibraries(platform).length === 0);

test.each(platforms)(
  'an image for $target holds only libraries of its architecture, and the same binary gives the same image',
  (platform) => {
    const program = join(temporary.path, 'program');
    writeFileSync(program, readFileSync('/bin/true'), { mode: 0o755 });
    const [once, again] = ['a.tar', 'b.tar'].map((name) => {
      const outfile = join(temporary.path, name);
      assembleImage(program, { platform, tag: 'vitrine:test', outfile });
      return outfile;
    });
    expect(readFileSync(again!).equals(readFileSync(once!))).toBe(true);
    const { config, root } = unpacked(once!, join(temporary.path, platform.target));
    expect(config.architecture).toBe(platform.architecture);
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const libraries = paths.filter((path) => basename(path).includes('.so.'));
    expect(libraries).toContain(platform.linker.slice(1));
    const kinds = libraries.map((path) => readFileSync(join(root, path)).readUInt16LE(ELF_MACHINE));
    expect(new Set(kinds)).toEqual(new Set([MACHINES[platform.architecture]]));
  },
);
