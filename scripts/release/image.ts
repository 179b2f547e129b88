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
import { basename, dirname, join } from 'node:path';

/** The same settings as in the Dockerfile in this folder. */
export const IMAGE_USER = 65532;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** What the program links against, and what it opens by name at run time. */
const LIBRARIES = [
  ...['libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1'],
  ...['libgcc_s.so.1', 'libstdc++.so.6', 'libresolv.so.2', 'libnss_dns.so.2'],
];

/** A platform of images, with Debian's names for it. */
export interface ImagePlatform {
  /** Target of the binary. */
  readonly target: string;
  /** Name of the architecture in an image. */
  readonly architecture: 'amd64' | 'arm64';
  /** The last part of the name of Debian's folder of libraries. */
  readonly triple: string;
  /** Path of the dynamic linker, which every program names. */
  readonly linker: string;
}

export const IMAGE_PLATFORMS: readonly ImagePlatform[] = [
  {
    target: 'linux-x64',
    architecture: 'amd64',
    triple: 'x86_64-linux-gnu',
    linker: '/lib64/ld-linux-x86-64.so.2',
  },
  {
    target: 'linux-arm64',
    architecture: 'arm64',
    triple: 'aarch64-linux-gnu',
    linker: '/lib/ld-linux-aarch64.so.1',
  },
];

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

/** The libraries that this machine lacks for images of a platform, by name. */
export function missingLibraries(platform: ImagePlatform): string[] {
  const names = [...LIBRARIES, basename(platform.linker)];
  return names.filter((name) => libraryPath(platform, name) === undefined);
}

/** Where Debian keeps a library of a platform, whether or not that is the machine's own. */
function libraryPath({ triple }: ImagePlatform, name: string): string | undefined {
  const folders = [`/lib/${triple}`, `/usr/lib/${triple}`, `/usr/${triple}/lib`];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

interface Image {
  readonly platform: ImagePlatform;
  readonly tag: string;
  readonly outfile: string;
}

/**
 * Assembles the image that the Dockerfile describes, without a container engine: a binary with this
 * machine's libraries for its platform, as an archive that `docker load` and OCI tools read. The same
 * binary and libraries give the same bytes. Needs tar, and throws if a library is missing.
 */
export function assembleImage(binary: string, image: Image): void {
  const scratch = mkdtempSync(join(tmpdir(), 'vitrine-image-'));
  try {
    const root = join(scratch, 'root');
    fillRoot(root, binary, image.platform);
    const layer = join(scratch, 'layer.tar');
    pack(root, layer);
    writeArchive({ layer, folder: join(scratch, 'archive'), ...image });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The image's file system. */
function fillRoot(root: string, binary: string, platform: ImagePlatform): void {
  const put = (from: string, to = from) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(realpathSync(from), join(root, to), { dereference: true });
  };
  put(binary, '/usr/local/bin/vitrine');
  chmodSync(join(root, 'usr/local/bin/vitrine'), 0o755);
  const putLibrary = (name: string, to: string) => {
    const path = libraryPath(platform, name);
    if (path === undefined) throw new Error(`this machine has no ${name} for ${platform.triple}`);
    put(path, to);
  };
  for (const name of LIBRARIES) putLibrary(name, `/lib/${platform.triple}/${name}`);
  putLibrary(basename(platform.linker), platform.linker);
  if (existsSync(CERTIFICATES)) put(CERTIFICATES);
  mkdirSync(join(root, 'data'), { mode: 0o700 });
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  const passwd = `vitrine:x:${IMAGE_USER}:${IMAGE_USER}::/data:/none\n`;
  writeFileSync(join(root, 'etc/passwd'), passwd);
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

interface Archive extends Image {
  readonly layer: string;
  readonly folder: string;
}

/** Writes the OCI image layout, with the additional `manifest.json` that `docker load` needs. */
function writeArchive({ layer, folder, platform, tag, outfile }: Archive): void {
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
      architecture: platform.architecture,
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
