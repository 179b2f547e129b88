import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism, devNull, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Everything non-deterministic that the service uses, in one object that tests can replace. */
export interface Platform {
  /** Wall clock, milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds of a monotonic clock; only differences are meaningful. */
  monotonicMs(): number;
  /** A new UUIDv7. */
  newId(): string;
  /** Cryptographically secure random bytes. */
  randomBytes(count: number): Uint8Array;
  /** Resolves after `ms`, or as soon as `signal` aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Lets pending work on the event loop run first. */
  yield(): Promise<void>;
  /** Writes one structured line for operators to stderr. */
  log(level: LogLevel, event: string, fields?: Record<string, unknown>): void;
  /** The resources that this process uses. */
  usage(): Usage;
  /** Bytes of memory that this process may use: the machine's, or less within a control group. */
  memoryBytes(): number;
  /** Processor cores that this process may use. */
  coreCount(): number;
  /** Runs this program with other arguments in a child process, and kills it when `signal` aborts. */
  runSelf(args: readonly string[], signal: AbortSignal): Promise<Ended>;
  /** What starts this program: an absolute path, and the arguments that precede its commands. */
  readonly ownCommand: readonly string[];
  /** Opens an HTTP listener on the runtime's own server. */
  listen(options: ListenOptions): Promise<Listener>;
}

export interface Usage {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Summed over all cores, since the process started. */
  readonly cpuSeconds: number;
}

/** How a process ended. */
export interface Ended {
  /** Null if the process could not be started or a signal ended it. */
  readonly exitCode: number | null;
  readonly stderr: string;
}

export interface ListenOptions {
  readonly hostname: string;
  /** 0 picks a free port. */
  readonly port: number;
  fetch(request: Request, connection: Connection): Response | Promise<Response>;
}

/** The connection that a request arrived on. */
export interface Connection {
  /** The peer's IP address. Looking it up is not free: call it only to tell callers apart. */
  address(): string;
  /** Removes the idle timeout of the response. Only for streams that send keep-alives. */
  keepOpen(): void;
}

export interface Listener {
  readonly hostname: string;
  readonly port: number;
  /** Accepts no more connections; resolves when requests in flight are answered, or after `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

const REDACTED = '[redacted]';

/** Names of fields whose values are never logged. */
const SECRET_FIELD = /^(?:authorization|(?:set-)?cookie|x-api-key|api-?key|password|secret)$/i;

/** A key, token or code. Its id stays visible, because operators identify keys by it. */
const CREDENTIAL = /\b(v[karc]_[0-9A-Za-z]{12}_)[0-9A-Za-z]{20,}/g;

/** The real platform. Drops log lines below `logLevel` and redacts `secrets` in the others. */
export function systemPlatform(logLevel: LogLevel, secrets: readonly string[] = []): Platform {
  const lowest = LEVELS.indexOf(logLevel);
  const redact = (name: string, value: unknown) => {
    if (SECRET_FIELD.test(name)) return REDACTED;
    if (typeof value !== 'string') return value;
    return secrets
      .reduce((text, secret) => text.replaceAll(secret, REDACTED), value)
      .replace(CREDENTIAL, `$1${REDACTED}`);
  };
  const log: Platform['log'] = (level, event, fields = {}) => {
    if (LEVELS.indexOf(level) < lowest) return;
    process.stderr.write(
      `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }, redact)}\n`,
    );
  };
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    // Bun's own takes a fifth of the time, and every request needs one.
    newId: 'Bun' in globalThis ? () => Bun.randomUUIDv7() : () => v7(),
    randomBytes: (count) => new Uint8Array(randomBytes(count)),
    sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    yield: () => new Promise((resolve) => setImmediate(resolve)),
    log,
    usage() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return { residentBytes: rss, heapBytes: heapUsed, cpuSeconds: (user + system) / 1e6 };
    },
    coreCount: availableParallelism,
    memoryBytes: () => Math.min(totalmem(), controlGroupBytes('/')),
    runSelf,
    ownCommand: [process.execPath, ...selfArguments()],
    listen: async (options) =>
      'Deno' in globalThis ? listenOnDeno(options) : new BunListener(options, log),
  };
}

/**
 * The least memory limit of this process's control group and the groups around it, in bytes;
 * Infinity without one. In a container, the path that /proc names may lie outside of what is
 * mounted, so the mounted root counts too. `root`: where /proc and /sys are.
 */
export function controlGroupBytes(root: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of textOf(join(root, 'proc/self/cgroup')).split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    const isUnified = controllers === '';
    if (path === undefined || !(isUnified || controllers!.split(',').includes('memory'))) continue;
    const mount = join(root, isUnified ? 'sys/fs/cgroup' : 'sys/fs/cgroup/memory');
    const limit = isUnified ? 'memory.max' : 'memory.limit_in_bytes';
    const names = path.split('/').filter((name) => name !== '');
    for (let depth = names.length; depth >= 0; depth--) {
      const text = textOf(join(mount, ...names.slice(0, depth), limit)).trim();
      if (/^\d+$/.test(text)) least = Math.min(least, Number(text));
    }
  }
  return least;
}

/** Empty if the file cannot be read: other systems have none of these. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function runSelf(args: readonly string[], signal: AbortSignal): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const command = [...selfArguments(), ...args];
  execFile(process.execPath, command, { signal }, (error, _stdout, stderr) => {
    const exitCode = error === null ? 0 : error.code;
    resolve({ exitCode: typeof exitCode === 'number' ? exitCode : null, stderr });
  });
  return promise;
}

/** What precedes our arguments on the command line of a child; nothing in a compiled binary. */
function selfArguments(): string[] {
  const script = process.argv[1] ?? '';
  if (/[\\/](?:\$bunfs|~BUN)[\\/]/.test(script)) return [];
  return 'Deno' in globalThis ? ['run', '-A', script] : [script];
}

/** Seconds that a connection may stay idle, also while it sends headers or a body. */
const IDLE_SECONDS = 30;

/**
 * Turns off Bun's body limit, which closes the connection without a response. Code that reads a body
 * enforces its own limit and reports it. Unread bytes do not pile up: they stay with the client.
 */
const BODY_BYTES_MAX = Number.MAX_SAFE_INTEGER;

/**
 * A stopping listener first answers with `Connection: close` for a while, because a client may send its
 * next request just as its connection is closed. It stops once no request has come for `QUIET_MS`, or
 * after `LINGER_MAX_MS`.
 */
const LINGER_MAX_MS = 2000;
const QUIET_MS = 250;

/** How often a listener checks for free file descriptors, and the minimum time between log lines about them. */
const DESCRIPTORS_LOOK_MS = 1000;
const DESCRIPTORS_LOG_MS = 60_000;

/** Descriptors reserved for the database and for operators when clients use all others. */
const DESCRIPTORS_RESERVED = 16;

/**
 * A Bun listener that survives a lack of file descriptors. If Bun has none to accept a connection with,
 * it silently retries in a loop that uses a whole core. This listener then closes its port, which also
 * closes idle connections, and opens it again when descriptors are free.
 */
class BunListener implements Listener {
  readonly hostname: string;
  readonly port: number;
  readonly #options: ListenOptions;
  readonly #log: Platform['log'];
  /** Null while no descriptors are free. */
  #server: Bun.Server<undefined> | null;
  /** Servers that have closed the port but still have open connections. */
  readonly #ending = new Set<Bun.Server<undefined>>();
  readonly #reserve: number[] = [];
  readonly #watch: NodeJS.Timeout;
  #loggedMs = Number.NEGATIVE_INFINITY;
  /** Whether the current lack of descriptors has been logged. */
  #isLogged = false;
  #lastRequestMs = 0;
  #isStopping = false;

  constructor(options: ListenOptions, log: Platform['log']) {
    this.#options = options;
    this.#log = log;
    this.hostname = options.hostname;
    this.#server = this.#open(options.port);
    this.port = this.#server.port ?? options.port;
    this.#fillReserve();
    this.#watch = setInterval(() => this.#lookAtDescriptors(), DESCRIPTORS_LOOK_MS).unref();
  }

  async stop(withinMs: number): Promise<void> {
    const deadline = delay(withinMs, undefined, { ref: false });
    clearInterval(this.#watch);
    if (this.#server !== null) await this.#linger(withinMs);
    this.#release();
    const servers = [...this.#ending];
    await Promise.race([Promise.all(servers.map((server) => server.stop(false))), deadline]);
    await Promise.all(servers.map((server) => server.stop(true)));
    this.#emptyReserve();
  }

  #open(port: number): Bun.Server<undefined> {
    return Bun.serve({
      hostname: this.hostname,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: BODY_BYTES_MAX,
      development: false,
      // In production, Bun would let several processes share the port.
      reusePort: false,
      fetch: (request, server) => {
        const answer = this.#options.fetch(request, {
          address: () => server.requestIP(request)?.address ?? '',
          keepOpen: () => server.timeout(request, 0),
        });
        return this.#isStopping ? this.#sayClose(answer) : answer;
      },
    });
  }

  async #sayClose(answer: Response | Promise<Response>): Promise<Response> {
    this.#lastRequestMs = performance.now();
    const response = await answer;
    response.headers.set('connection', 'close');
    return response;
  }

  async #linger(withinMs: number): Promise<void> {
    this.#isStopping = true;
    const startedMs = performance.now();
    this.#lastRequestMs = startedMs;
    const endMs = startedMs + Math.min(withinMs, LINGER_MAX_MS);
    while (performance.now() < Math.min(endMs, this.#lastRequestMs + QUIET_MS))
      await delay(QUIET_MS / 10);
  }

  #lookAtDescriptors(): void {
    if (this.#server === null) this.#takeBack();
    else if (!canOpenFile()) {
      this.#release();
      this.#emptyReserve();
      const hint = 'raise LimitNOFILE or ulimit -n';
      this.#isLogged = this.#note('warn', 'descriptors_exhausted', { hint });
    }
  }

  /** Closes the port; connections in use stay open. */
  #release(): void {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    this.#ending.add(server);
    void server.stop(false).then(() => this.#ending.delete(server));
  }

  #takeBack(): void {
    if (!this.#fillReserve() || !canOpenFile()) return;
    try {
      this.#server = this.#open(this.port);
      if (this.#isLogged) this.#log('info', 'listening_again', { port: this.port });
    } catch (error) {
      this.#note('error', 'not_listening', { cause: String(error) });
    }
  }

  /** Returns false, with the reserve empty again, if there are too few descriptors. */
  #fillReserve(): boolean {
    try {
      while (this.#reserve.length < DESCRIPTORS_RESERVED)
        this.#reserve.push(openSync(devNull, 'r'));
      return true;
    } catch {
      this.#emptyReserve();
      return false;
    }
  }

  #emptyReserve(): void {
    for (const descriptor of this.#reserve.splice(0)) closeSync(descriptor);
  }

  /** Returns false without logging if the last line is too recent. */
  #note(level: LogLevel, event: string, fields: Record<string, unknown>): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#loggedMs < DESCRIPTORS_LOG_MS) return false;
    this.#loggedMs = nowMs;
    this.#log(level, event, { port: this.port, ...fields });
    return true;
  }
}

function canOpenFile(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** The part of Deno's API used here; its types exist only where Deno runs. */
interface DenoServe {
  serve(
    options: { hostname: string; port: number; onListen(): void },
    handler: (
      request: Request,
      info: { remoteAddr: { hostname?: string } },
    ) => Response | Promise<Response>,
  ): { addr: { port: number }; shutdown(): Promise<void>; unref(): void };
}

async function listenOnDeno({ hostname, port, fetch }: ListenOptions): Promise<Listener> {
  const { Deno } = globalThis as unknown as { Deno: DenoServe };
  const server = Deno.serve(
    { hostname, port, onListen: () => undefined },
    (request, { remoteAddr }) =>
      fetch(request, { address: () => remoteAddr.hostname ?? '', keepOpen: () => undefined }),
  );
  return {
    hostname,
    port: server.addr.port,
    stop: async (withinMs) => {
      await Promise.race([server.shutdown(), delay(withinMs, undefined, { ref: false })]);
    },
  };
}

/** Name and version of the JavaScript runtime. */
export function runtimeName(): string {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) return `Bun ${bun}`;
  return deno === undefined ? `Node ${node}` : `Deno ${deno}`;
}
