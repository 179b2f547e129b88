import { afterAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembleImage, IMAGE_USER } from '../../scripts/release/image.ts';
import { BINARY } from '../e2e/built-binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);

const isDebian =
  process.platform === 'linux' && process.arch === 'x64' && hasCommands('ldd', 'tar', 'unshare');
const isRoot = process.getuid?.() === 0;
const canLookInside = BINARY !== null && isDebian && isRoot;
if (!canLookInside)
  process.stderr.write(
    'skipped: the container image (wants the binary, Debian of x64, and root)\n',
  );

function hasCommands(...names: string[]): boolean {
  return names.every((name) => Bun.which(name) !== null);
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
    assembleImage(BINARY!, { tag: 'vitrine:test', outfile });
    const archive = join(temporary.path, 'archive');
    const root = join(temporary.path, 'root');
    for (const folder of [archive, root]) mkdirSync(folder);
    execFileSync('tar', ['-xf', outfile, '-C', archive]);
    const json = (path: string) => JSON.parse(readFileSync(join(archive, path), 'utf8'));
    const [{ Config, Layers }] = json('manifest.json');
    const { config, rootfs } = json(Config);
    expect(config.User).toBe(`${IMAGE_USER}:${IMAGE_USER}`);
    expect(config.Healthcheck.Test).toEqual(['CMD', '/usr/local/bin/vitrine', 'ready']);
    expect(`sha256:${Layers[0].split('/').at(-1)}`).toBe(rootfs.diff_ids[0]);
    const [{ digest }] = json('index.json').manifests;
    expect(json(`blobs/sha256/${digest.slice('sha256:'.length)}`).layers).toHaveLength(1);
    execFileSync('tar', ['-xpf', join(archive, Layers[0]), '-C', root, '--numeric-owner']);
    const { uid, mode } = statSync(join(root, 'data'));
    expect([uid, mode & 0o777]).toEqual([IMAGE_USER, 0o700]);
    for (const folder of ['proc', 'dev']) mkdirSync(join(root, folder));
    const said = runInside(root, 'vitrine init --org Acme --json && vitrine catalog stats --json');
    expect(said).toContain('"apiKey"');
  },
  60_000,
);

test.skipIf(!isDebian)('the same binary gives the same image', () => {
  const program = join(temporary.path, 'program');
  writeFileSync(program, readFileSync('/bin/true'), { mode: 0o755 });
  const [once, again] = ['a.tar', 'b.tar'].map((name) => {
    const outfile = join(temporary.path, name);
    assembleImage(program, { tag: 'vitrine:test', outfile });
    return readFileSync(outfile);
  });
  expect(again!.equals(once!)).toBe(true);
});
