/** A platform that a binary can be built for. */
export interface Target {
  readonly name: string;
  /** Bun's name for the embedded runtime. */
  readonly runtime: Bun.Build.CompileTarget;
  /** Package of libSQL's addon. */
  readonly databasePackage: string;
  /** Native files of onnxruntime; null if there are none. */
  readonly inference: { readonly folder: string; readonly library: string } | null;
  readonly suffix: '' | '.exe';
}

const LINUX_LIBRARY = 'libonnxruntime.so.1';

export const TARGETS: readonly Target[] = [
  {
    name: 'linux-x64',
    runtime: 'bun-linux-x64',
    databasePackage: '@libsql/linux-x64-gnu',
    inference: { folder: 'linux/x64', library: LINUX_LIBRARY },
    suffix: '',
  },
  {
    name: 'linux-arm64',
    runtime: 'bun-linux-arm64',
    databasePackage: '@libsql/linux-arm64-gnu',
    inference: { folder: 'linux/arm64', library: LINUX_LIBRARY },
    suffix: '',
  },
  {
    name: 'linux-x64-musl',
    runtime: 'bun-linux-x64-musl',
    databasePackage: '@libsql/linux-x64-musl',
    inference: null,
    suffix: '',
  },
  {
    name: 'linux-arm64-musl',
    runtime: 'bun-linux-arm64-musl',
    databasePackage: '@libsql/linux-arm64-musl',
    inference: null,
    suffix: '',
  },
  {
    name: 'darwin-arm64',
    runtime: 'bun-darwin-arm64',
    databasePackage: '@libsql/darwin-arm64',
    inference: { folder: 'darwin/arm64', library: 'libonnxruntime.1.dylib' },
    suffix: '',
  },
  {
    name: 'windows-x64',
    runtime: 'bun-windows-x64',
    databasePackage: '@libsql/win32-x64-msvc',
    inference: { folder: 'win32/x64', library: 'onnxruntime.dll' },
    suffix: '.exe',
  },
];

/** The target for this machine. Throws if there is none. */
export function hostTarget(): Target {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const isMusl = system === 'linux' && !isGlibc();
  return targetNamed(`${system}-${process.arch}${isMusl ? '-musl' : ''}`);
}

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime !== undefined;
}

/** The target with a name. Throws if there is none. */
export function targetNamed(name: string): Target {
  const target = TARGETS.find((candidate) => candidate.name === name);
  if (target !== undefined) return target;
  const names = TARGETS.map((candidate) => candidate.name);
  throw new Error(`there is no target "${name}", only ${names.join(', ')}`);
}
