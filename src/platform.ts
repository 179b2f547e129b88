import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Everything non-deterministic the service touches, in one object that tests replace. */
export interface Platform {
  /** Wall clock, milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds of a clock that never jumps; only differences mean something. */
  monotonicMs(): number;
  /** A new UUIDv7. */
  newId(): string;
  /** Bytes fit for secrets. */
  randomBytes(count: number): Uint8Array;
  /** Resolves after `ms`, or at once (without throwing) when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Lets whatever waits on the event loop go first. */
  yield(): Promise<void>;
  /** One structured line for operators, on stderr. */
  log(level: LogLevel, event: string, fields?: Record<string, unknown>): void;
  /** What this process takes of the machine. */
  usage(): Usage;
  /** Runs this program with other arguments as a process of its own, which ends when `signal` aborts. */
  runSelf(args: readonly string[], signal: AbortSignal): Promise<Ended>;
  /** Opens an HTTP listener with whatever server the runtime brings. */
  listen(options: ListenOptions): Promise<Listener>;
}

export interface Usage {
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Of all cores together, since the process began. */
  readonly cpuSeconds: number;
}

/** How a process ended. */
export interface Ended {
  /** Null: it could not be started, or a signal ended it. */
  readonly exitCode: number | null;
  readonly stderr: string;
}

export interface ListenOptions {
  readonly hostname: string;
  /** 0 picks a free one. */
  readonly port: number;
  fetch(request: Request, connection: Connection): Promise<Response>;
}

/** What a request came in on. */
export interface Connection {
  /** The other end's address. It costs something: asked for only where callers have to be told apart. */
  address(): string;
  /** Lets the answer be silent for as long as it likes. Only for streams that send a sign of life. */
  keepOpen(): void;
}

export interface Listener {
  readonly hostname: string;
  readonly port: number;
  /** Takes no more connections; resolves when requests in flight are answered, or `withinMs` later. */
  stop(withinMs: number): Promise<void>;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

const REDACTED = '[redacted]';

/** Fields that are never logged, whatever they hold. */
const SECRET_FIELD = /^(?:authorization|(?:set-)?cookie|x-api-key|api-?key|password|secret)$/i;

/** An API key; its id, which operators know it by, may be seen. */
const API_KEY = /\b(vk_[0-9A-Za-z]{12}_)[0-9A-Za-z]{20,}/g;

/** The real world. Log lines below `logLevel` are dropped; `secrets` never stand in one. */
export function systemPlatform(logLevel: LogLevel, secrets: readonly string[] = []): Platform {
  const lowest = LEVELS.indexOf(logLevel);
  const redact = (name: string, value: unknown) => {
    if (SECRET_FIELD.test(name)) return REDACTED;
    if (typeof value !== 'string') return value;
    return secrets
      .reduce((text, secret) => text.replaceAll(secret, REDACTED), value)
      .replace(API_KEY, `$1${REDACTED}`);
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
    // The runtime's own takes a fifth of the time, on every request.
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
    runSelf,
    listen: async (options) =>
      'Deno' in globalThis ? listenOnDeno(options) : new BunListener(options, log),
  };
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

/** What comes between the executable and the arguments of ours: nothing in a compiled binary. */
function selfArguments(): string[] {
  const script = process.argv[1] ?? '';
  if (/[\\/](?:\$bunfs|~BUN)[\\/]/.test(script)) return [];
  return 'Deno' in globalThis ? ['run', '-A', script] : [script];
}

/** Seconds a connection may stay silent, slow senders of headers and bodies included. */
const IDLE_SECONDS = 30;

/**
 * Bodies of any length come in: whoever reads one stops at a limit of its own and says so, where Bun
 * would hang up without a word. Nothing piles up, for what nobody reads is not taken from the client.
 */
const BODY_BYTES_MAX = Number.MAX_SAFE_INTEGER;

/**
 * A listener that stops first answers with `Connection: close` for a while, because a client may send its
 * next request at the moment in which its connection is closed. It goes on for at most `LINGER_MAX_MS`, and
 * ends as soon as nobody has asked anything for `QUIET_MS`.
 */
const LINGER_MAX_MS = 2000;
const QUIET_MS = 250;

/** How often a listener looks whether the process has descriptors left, and how often it may say that it has none. */
const DESCRIPTORS_LOOK_MS = 1000;
const DESCRIPTORS_LOG_MS = 60_000;

/** Kept back for the database and for operators when clients have taken all others. */
const DESCRIPTORS_RESERVED = 16;

/**
 * A listener of Bun's. Without a descriptor to accept a connection with, Bun tries again and again, says
 * nothing and takes a whole core. So this listener then lets go of its port, which also ends connections
 * that are idle, and takes it back when there are descriptors again.
 */
class BunListener implements Listener {
  readonly hostname: string;
  readonly port: number;
  readonly #options: ListenOptions;
  readonly #log: Platform['log'];
  /** Null while there are no descriptors. */
  #server: Bun.Server<undefined> | null;
  /** Servers without the port whose connections are still open. */
  readonly #ending = new Set<Bun.Server<undefined>>();
  readonly #reserve: number[] = [];
  readonly #watch: NodeJS.Timeout;
  #loggedMs = Number.NEGATIVE_INFINITY;
  /** Whether the log tells of the descriptors that are missing now. */
  #isTold = false;
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
      // Outside development Bun lets processes share a port, and requests reach any of them.
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

  async #sayClose(answer: Promise<Response>): Promise<Response> {
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
      this.#isTold = this.#note('warn', 'descriptors_exhausted', { hint });
    }
  }

  /** Lets go of the port; connections that are in use stay. */
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
      if (this.#isTold) this.#log('info', 'listening_again', { port: this.port });
    } catch (error) {
      this.#note('error', 'not_listening', { cause: String(error) });
    }
  }

  /** False, and empty again, when there are not that many descriptors. */
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

  /** False when it is too soon after the last note, and nothing is logged. */
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

/** What this file uses of Deno, which has types of its own only where it runs. */
interface DenoServe {
  serve(
    options: { hostname: string; port: number; onListen(): void },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Promise<Response>,
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

/** What runs the program, with its version. */
export function runtimeName(): string {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) return `Bun ${bun}`;
  return deno === undefined ? `Node ${node}` : `Deno ${deno}`;
}
