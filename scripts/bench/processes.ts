import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Share of a second that an idle process may be busy. */
const IDLE_SHARE = 0.1;
/** Consecutive seconds that a process must be idle. */
const IDLE_SECONDS = 2;
const IDLE_WITHIN_SECONDS = 300;

/** Clock ticks per second in /proc, constant for user space. */
const TICKS_PER_SECOND = 100;

const STOPS = ['SIGINT', 'SIGTERM'] as const;

/** Processes that a run has started. They end with it, also if it is stopped by a signal. */
export class Processes {
  readonly #running = new Set<Bun.Subprocess>();

  constructor() {
    process.once('exit', () => {
      for (const running of this.#running) running.kill();
    });
    for (const signal of STOPS) process.once(signal, () => process.exit(1));
  }

  /** Starts a program without environment variables. Its stderr goes to the file `log`. */
  start(command: string[], { log }: { log: string }): Bun.Subprocess<'ignore', 'pipe'> {
    const started = Bun.spawn(command, {
      env: {},
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: Bun.file(log),
    });
    this.#running.add(started);
    return started;
  }

  /** As `start`, with environment variables, for a program whose stdout nobody reads. */
  startQuietly(
    command: string[],
    { log, env }: { log: string; env: Record<string, string> },
  ): Bun.Subprocess {
    const stderr = Bun.file(log);
    const started = Bun.spawn(command, { env, stdin: 'ignore', stdout: 'ignore', stderr });
    this.#running.add(started);
    return started;
  }

  async stop(started: Bun.Subprocess): Promise<void> {
    started.kill();
    await started.exited;
    this.#running.delete(started);
  }

  async stopAll(): Promise<void> {
    for (const started of this.#running) await this.stop(started);
  }
}

/**
 * Runs a program to its end, by default without environment variables, and returns its stdout.
 * Throws, with what it printed, unless the exit code is 0.
 */
export async function runToEnd(
  command: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout, stderr, exited } = Bun.spawn([...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [printed, complaints] = await Promise.all([
    new Response(stdout).text(),
    new Response(stderr).text(),
  ]);
  if ((await exited) !== 0) throw new Error(`${command.join(' ')}:\n${complaints}${printed}`);
  return printed;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Resident memory of a process in megabytes; null without /proc. */
export function residentMb(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}

/** Resolves when a process is idle. Without /proc, after a few seconds. */
export async function untilIdle(pid: number): Promise<void> {
  let idleSeconds = 0;
  for (let second = 0; second < IDLE_WITHIN_SECONDS && idleSeconds < IDLE_SECONDS; second += 1) {
    const before = busySeconds(pid);
    await Bun.sleep(1000);
    idleSeconds = busySeconds(pid) - before < IDLE_SHARE ? idleSeconds + 1 : 0;
  }
}

/** Processor time that a process has used, in seconds; 0 without /proc. */
export function busySeconds(pid: number): number {
  // After the name in brackets, which may contain blanks, user and system time are fields 12 and
  // 13.
  const fields = readProc(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  return fields === undefined ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
