import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    // The runtime's own takes a fifth of the time, on every request.
    newId: 'Bun' in globalThis ? () => Bun.randomUUIDv7() : () => v7(),
    randomBytes: (count) => new Uint8Array(randomBytes(count)),
    sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    yield: () => new Promise((resolve) => setImmediate(resolve)),
    log(level, event, fields = {}) {
      if (LEVELS.indexOf(level) < lowest) return;
      process.stderr.write(
        `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }, redact)}\n`,
      );
    },
    usage() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return { residentBytes: rss, heapBytes: heapUsed, cpuSeconds: (user + system) / 1e6 };
    },
    runSelf,
    listen: (options) => ('Deno' in globalThis ? listenOnDeno(options) : listenOnBun(options)),
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

async function listenOnBun({ hostname, port, fetch }: ListenOptions): Promise<Listener> {
  let isStopping = false;
  let lastRequestMs = 0;
  const sayClose = async (answer: Promise<Response>) => {
    lastRequestMs = performance.now();
    const response = await answer;
    response.headers.set('connection', 'close');
    return response;
  };
  const linger = async (withinMs: number) => {
    isStopping = true;
    const startedMs = performance.now();
    lastRequestMs = startedMs;
    const endMs = startedMs + Math.min(withinMs, LINGER_MAX_MS);
    while (performance.now() < Math.min(endMs, lastRequestMs + QUIET_MS))
      await delay(QUIET_MS / 10);
  };
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_BYTES_MAX,
    development: false,
    // Outside development Bun lets processes share a port, and requests reach any of them.
    reusePort: false,
    fetch: (request, server) => {
      const answer = fetch(request, {
        address: () => server.requestIP(request)?.address ?? '',
        keepOpen: () => server.timeout(request, 0),
      });
      return isStopping ? sayClose(answer) : answer;
    },
  });
  return {
    hostname,
    port: server.port ?? port,
    async stop(withinMs) {
      const deadline = delay(withinMs, undefined, { ref: false });
      await linger(withinMs);
      await Promise.race([server.stop(false), deadline]);
      await server.stop(true);
    },
  };
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
