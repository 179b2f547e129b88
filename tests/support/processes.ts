import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The command that runs vitrine from source. */
export const SOURCE_COMMAND: readonly string[] = [process.execPath, `${ROOT}src/main.ts`];

/** The compiled binary that `VITRINE_TEST_BINARY` names, or null. */
export const BINARY_COMMAND: readonly string[] | null =
  process.env['VITRINE_TEST_BINARY'] === undefined
    ? null
    : [resolve(process.env['VITRINE_TEST_BINARY'])];

/** What users run: the compiled binary if there is one, otherwise the source. */
export const PROGRAM_COMMAND: readonly string[] = BINARY_COMMAND ?? SOURCE_COMMAND;

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a command until it exits. */
export async function run(
  command: readonly string[],
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const child = start(command, args, options);
  const [exitCode] = (await once(child.process, 'close')) as [number | null];
  return { exitCode, stdout: child.stdout(), stderr: child.stderr() };
}

export interface Started {
  readonly process: ChildProcess;
  stdout(): string;
  stderr(): string;
}

export function start(
  [program, ...first]: readonly string[],
  args: readonly string[],
  { cwd, environment = {} }: RunOptions = {},
): Started {
  const child = spawn(program!, [...first, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutSettings(process.env), ...environment },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { process: child, stdout: () => stdout, stderr: () => stderr };
}

export interface Serving extends Started {
  readonly url: string;
  /** Address of the operator's listener; null if there is none. */
  readonly operatorUrl: string | null;
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `vitrine serve` on a free port. Resolves when it listens. */
export async function serve(
  command: readonly string[],
  args: readonly string[],
  options: RunOptions = {},
): Promise<Serving> {
  const started = start(
    command,
    ['serve', '--listen', '127.0.0.1:0', '--ops-listen', '127.0.0.1:0', ...args],
    options,
  );
  const exited = once(started.process, 'close') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    started.process.stderr!.on('data', () => {
      const address = /listening on (http:\/\/\S+)/.exec(started.stderr())?.[1];
      if (address !== undefined) resolve(address);
    });
    exited.then(([code]) => reject(new Error(`exit ${code}: ${started.stderr()}`)), reject);
  });
  return {
    ...started,
    url,
    operatorUrl: /metrics: (http:\/\/[^/]+)/.exec(started.stderr())?.[1] ?? null,
    async stop() {
      started.process.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

/** Keeps a developer's own settings, and those of the test run's engine, out of tests. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:VITRINE_|BUN_JSC_|DATABASE_URL$)/.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}
