import { AppError } from '../domain/errors.ts';
import { type Caller, isStillWelcome } from '../operations/tenants/admit.ts';
import type { McpServices } from './conversation.ts';
import { EventStream } from './event-stream.ts';

const STREAMS_MAX = 2000;

/** Those who share a number of streams. */
interface Holder {
  readonly name: string;
  readonly max: number;
  readonly refusal: string;
}

/**
 * A key has 200 streams. A client address without a key has 20, and all of these leave half for
 * keys.
 */
function holdersOf(caller: Caller): readonly Holder[] {
  const holder = (name: string, max: number, who: string): Holder => ({
    name,
    max,
    refusal: `${who} ${max} open streams already.`,
  });
  if (caller.apiKey !== null) return [holder(`key:${caller.apiKey.id}`, 200, 'This key has')];
  return [
    holder(`address:${caller.network}`, 20, 'This address has'),
    holder('public', STREAMS_MAX / 2, 'Callers without a key have'),
  ];
}

/** How soon a stream ends after its key, or after the public is turned away. */
const TICK_MS = 1000;

/** Interval of keep-alives. Proxies and clients drop a connection that is silent for longer. */
const KEEP_ALIVE_MS = 15_000;

/** `Retry-After` for a stream beyond the limits. Clients reconnect by themselves. */
const RETRY_MS = 15_000;

/** The stream that a client requests. */
export interface StreamRequest {
  /** Null: of no session, so that nothing but signs of life goes out on it. */
  readonly session: { readonly id: string; readonly lastEvent: number } | null;
  /** The client goes on without it. */
  readonly isOptional: boolean;
}

interface OpenStream {
  readonly stream: EventStream;
  readonly caller: Caller;
  /** Null: of no session, so that nothing but signs of life goes out on it. */
  readonly sessionId: string | null;
  /** Number of the latest event sent in the session. */
  lastEvent: number;
  aliveAtMs: number;
}

/**
 * Every stream that is open in this process. They end when their caller would no longer be let in,
 * and when the service begins to stop.
 */
export class Streams {
  readonly #services: McpServices;
  readonly #open = new Set<OpenStream>();
  readonly #ofSession = new Map<string, OpenStream>();
  readonly #countOfHolder = new Map<string, number>();
  #isTicking = false;

  constructor(services: McpServices) {
    this.#services = services;
    services.stopping.addEventListener('abort', () => this.#closeAll());
  }

  /**
   * Opens a stream that begins with a keep-alive. A session has one stream: a new one ends the old
   * one. Throws what `requireRoom` throws.
   */
  open(caller: Caller, { session, isOptional }: StreamRequest): EventStream {
    const { platform, openSessions } = this.#services;
    const sessionId = session?.id ?? null;
    const former = sessionId === null ? undefined : this.#ofSession.get(sessionId);
    former?.stream.close();
    this.requireRoom(caller, isOptional);
    const opened: OpenStream = {
      stream: new EventStream(() => this.#forget(opened)),
      caller,
      sessionId,
      lastEvent: session?.lastEvent ?? 0,
      aliveAtMs: platform.monotonicMs(),
    };
    this.#open.add(opened);
    for (const { name } of holdersOf(caller)) this.#count(name, 1);
    if (sessionId !== null) {
      this.#ofSession.set(sessionId, opened);
      openSessions.add(sessionId);
    }
    opened.stream.comment('open');
    if (!this.#isTicking) void this.#tick();
    return opened.stream;
  }

  /**
   * Throws beyond what the caller may have or 2,000 in all: `method_not_allowed`, which clients of
   * Streamable HTTP take for a server without streams, where the stream is optional, else
   * `unavailable`. Throws `unavailable` while the service stops.
   */
  requireRoom(caller: Caller, isOptional: boolean): void {
    if (this.#services.stopping.aborted) throw unavailable('The service is shutting down.');
    const full = holdersOf(caller).find(
      ({ name, max }) => (this.#countOfHolder.get(name) ?? 0) >= max,
    );
    if (full === undefined && this.#open.size < STREAMS_MAX) return;
    const message = full?.refusal ?? 'Too many streams are open.';
    if (isOptional) throw new AppError('method_not_allowed', message, { allow: ['POST'] });
    throw unavailable(message);
  }

  has(sessionId: string): boolean {
    return this.#ofSession.has(sessionId);
  }

  /**
   * Sends a session's event, and ignores repeated calls with the same event. Returns false if the
   * stream is not open.
   */
  send(sessionId: string, { number, message }: { number: number; message: string }): boolean {
    const opened = this.#ofSession.get(sessionId);
    if (opened === undefined) return false;
    if (number <= opened.lastEvent) return true;
    opened.lastEvent = number;
    opened.aliveAtMs = this.#services.platform.monotonicMs();
    return opened.stream.send({
      event: 'message',
      id: eventId(sessionId, number),
      data: message,
    });
  }

  close(sessionId: string): void {
    this.#ofSession.get(sessionId)?.stream.close();
  }

  /** Runs once a second while there are streams. */
  async #tick(): Promise<void> {
    const { platform, stopping } = this.#services;
    this.#isTicking = true;
    while (this.#open.size > 0 && !stopping.aborted) {
      await platform.sleep(TICK_MS, stopping);
      const nowMs = platform.monotonicMs();
      for (const opened of [...this.#open]) this.#check(opened, nowMs);
    }
    this.#isTicking = false;
  }

  #check(opened: OpenStream, nowMs: number): void {
    if (!isStillWelcome(this.#services, opened.caller)) {
      opened.stream.close();
    } else if (nowMs - opened.aliveAtMs >= KEEP_ALIVE_MS) {
      opened.aliveAtMs = nowMs;
      opened.stream.comment('keep-alive');
    }
  }

  #forget(opened: OpenStream): void {
    const { caller, sessionId } = opened;
    this.#open.delete(opened);
    for (const { name } of holdersOf(caller)) this.#count(name, -1);
    if (sessionId !== null && this.#ofSession.get(sessionId) === opened) {
      this.#ofSession.delete(sessionId);
      this.#services.openSessions.delete(sessionId);
    }
  }

  #count(holder: string, change: 1 | -1): void {
    const count = (this.#countOfHolder.get(holder) ?? 0) + change;
    if (count === 0) this.#countOfHolder.delete(holder);
    else this.#countOfHolder.set(holder, count);
  }

  #closeAll(): void {
    for (const { stream } of [...this.#open]) stream.close();
  }
}

/** The id of an event. A client sends it as `Last-Event-ID` when it reconnects. */
export function eventId(sessionId: string, number: number): string {
  return `${sessionId}.${number}`;
}

/** The session and number in an event id; null for any other text. */
export function parseEventId(text: string): { sessionId: string; number: number } | null {
  const [, sessionId, number] = /^([0-9a-f-]{36})\.(\d{1,9})$/.exec(text) ?? [];
  return sessionId === undefined ? null : { sessionId, number: Number(number) };
}

function unavailable(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterMs: RETRY_MS });
}
