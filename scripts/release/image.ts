import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The same settings as in the Dockerfile in this folder. */
export const IMAGE_USER = 65532;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Libraries that the program opens by name at run time, which `ldd` does not list. */
const OPENED_LATER = [
  ...['libstdc++.so.6', 'libgcc_s.so.1', 'librt.so.1', 'libdl.so.2', 'libpthread.so.0'],
  ...['libresolv.so.2', 'libnss_dns.so.2'],
];

/** Library folders of Debian and its derivatives. */
const LIBRARY_FOLDERS = ['/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', '/lib64'];

const CONFIG = {
  User: `${IMAGE_USER}:${IMAGE_USER}`,
  Env: ['VITRINE_DATA=/data', 'VITRINE_LISTEN=0.0.0.0:8787', `SSL_CERT_FILE=${CERTIFICATES}`],
  Entrypoint: ['/usr/local/bin/vitrine'],
  Cmd: ['serve'],
  ExposedPorts: { '8787/tcp': {} },
  Volumes: { '/data': {} },
  Healthcheck: {
    Test: ['CMD', '/usr/local/bin/vitrine', 'ready'],
    Interval: 30e9,
    Timeout: 5e9,
    StartPeriod: 60e9,
  },
};

/**
 * Assembles the image that the Dockerfile describes, without a container engine: the binary for
 * linux-x64 with this machine's libraries, as an archive that `docker load` and OCI tools read. The
 * same binary and libraries give the same bytes. Needs Debian on x64, with tar.
 */
export function assembleImage(
  binary: string,
  { tag, outfile }: { tag: string; outfile: string },
): void {
  const scratch = mkdtempSync(join(tmpdir(), 'vitrine-image-'));
  try {
    const root = join(scratch, 'root');
    fillRoot(root, binary);
    const layer = join(scratch, 'layer.tar');
    pack(root, layer);
    writeArchive({ layer, folder: join(scratch, 'archive'), tag, outfile });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The image's file system. */
function fillRoot(root: string, binary: string): void {
  const put = (from: string, to = from) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(realpathSync(from), join(root, to), { dereference: true });
  };
  put(binary, '/usr/local/bin/vitrine');
  chmodSync(join(root, 'usr/local/bin/vitrine'), 0o755);
  for (const path of librariesOf(binary)) put(path);
  if (existsSync(CERTIFICATES)) put(CERTIFICATES);
  mkdirSync(join(root, 'data'), { mode: 0o700 });
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  const passwd = `vitrine:x:${IMAGE_USER}:${IMAGE_USER}::/data:/none\n`;
  writeFileSync(join(root, 'etc/passwd'), passwd);
}

function librariesOf(binary: string): string[] {
  const linked = execFileSync('ldd', [binary], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  const later = OPENED_LATER.map((name) => {
    const path = LIBRARY_FOLDERS.map((folder) => join(folder, name)).find(existsSync);
    if (path === undefined) throw new Error(`this machine has no ${name}`);
    return path;
  });
  return [...new Set([...[...linked].map(([, path]) => path!), ...later])];
}

/** Writes a tar whose bytes depend only on names, modes and contents. */
function pack(folder: string, outfile: string, ...names: string[]): void {
  const owner = (path: string) => [`--owner=${path}`, `--group=${path}`];
  const same = ['--sort=name', '--mtime=@0', '--numeric-owner', '--format=ustar'];
  const what = names.length === 0 ? ['--exclude=./data', '.'] : names;
  execFileSync('tar', [...same, ...owner('0'), '-cf', outfile, '-C', folder, ...what]);
  if (names.length > 0) return;
  const data = [...same, ...owner(`${IMAGE_USER}`), '-rf', outfile, '-C', folder, './data'];
  execFileSync('tar', data);
}

interface Archive {
  readonly layer: string;
  readonly folder: string;
  readonly tag: string;
  readonly outfile: string;
}

/** Writes the OCI image layout, with the additional `manifest.json` that `docker load` needs. */
function writeArchive({ layer, folder, tag, outfile }: Archive): void {
  const blobs = join(folder, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const add = (bytes: Buffer) => {
    const hex = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, hex), bytes);
    return { hex, size: bytes.length, digest: `sha256:${hex}` };
  };
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  const packed = add(readFileSync(layer));
  const config = add(
    json({
      architecture: 'amd64',
      os: 'linux',
      config: CONFIG,
      rootfs: { type: 'layers', diff_ids: [packed.digest] },
    }),
  );
  const described = (mediaType: string, { digest, size }: { digest: string; size: number }) => ({
    mediaType: `application/vnd.oci.image.${mediaType}`,
    digest,
    size,
  });
  const manifest = add(
    json({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: described('config.v1+json', config),
      layers: [described('layer.v1.tar', packed)],
    }),
  );
  const files = {
    'oci-layout': { imageLayoutVersion: '1.0.0' },
    'index.json': {
      schemaVersion: 2,
      manifests: [
        {
          ...described('manifest.v1+json', manifest),
          annotations: { 'org.opencontainers.image.ref.name': tag },
        },
      ],
    },
    'manifest.json': [
      {
        Config: `blobs/sha256/${config.hex}`,
        RepoTags: [tag],
        Layers: [`blobs/sha256/${packed.hex}`],
      },
    ],
  };
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), json(value));
  pack(folder, outfile, 'blobs', ...Object.keys(files));
}
