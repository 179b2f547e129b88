import { AppError } from '../domain/errors.ts';
import { type Caller, isInForce } from '../operations/tenants/admit.ts';
import type { McpServices } from './conversation.ts';
import { EventStream } from './event-stream.ts';

const STREAMS_OF_KEY_MAX = 200;
const STREAMS_MAX = 2000;

/** How soon a stream ends after its key. */
const TICK_MS = 1000;

/** Proxies and clients take a connection that is silent for longer for a dead one. */
const KEEP_ALIVE_MS = 15_000;

/** When to try again for a stream beyond the limits: clients come back by themselves. */
const RETRY_MS = 15_000;

/** The stream that a client asks for. */
export interface StreamRequest {
  /** Null: of no session, so that nothing but signs of life goes out on it. */
  readonly session: { readonly id: string; readonly lastEvent: number } | null;
  /** The client goes on without it. */
  readonly isOptional: boolean;
}

interface OpenStream {
  readonly stream: EventStream;
  readonly keyId: string;
  /** Null: of no session, so that nothing but signs of life goes out on it. */
  readonly sessionId: string | null;
  /** Number of the session's latest event that went out. */
  lastEvent: number;
  aliveAtMs: number;
}

/**
 * Every stream that is open in this process. They end with their key, and when the service begins to
 * stop.
 */
export class Streams {
  readonly #services: McpServices;
  readonly #open = new Set<OpenStream>();
  readonly #ofSession = new Map<string, OpenStream>();
  readonly #countOfKey = new Map<string, number>();
  #isTicking = false;

  constructor(services: McpServices) {
    this.#services = services;
    services.stopping.addEventListener('abort', () => this.#closeAll());
  }

  /**
   * Opens a stream, with a first sign of life in it. A session has one: an older one ends. Throws as
   * `requireRoom` does.
   */
  open(caller: Caller, { session, isOptional }: StreamRequest): EventStream {
    const { platform, openSessions } = this.#services;
    const { apiKey } = caller;
    const sessionId = session?.id ?? null;
    const former = sessionId === null ? undefined : this.#ofSession.get(sessionId);
    former?.stream.close();
    this.requireRoom(caller, isOptional);
    const opened: OpenStream = {
      stream: new EventStream(() => this.#forget(opened)),
      keyId: apiKey.id,
      sessionId,
      lastEvent: session?.lastEvent ?? 0,
      aliveAtMs: platform.monotonicMs(),
    };
    this.#open.add(opened);
    this.#countOfKey.set(apiKey.id, (this.#countOfKey.get(apiKey.id) ?? 0) + 1);
    if (sessionId !== null) {
      this.#ofSession.set(sessionId, opened);
      openSessions.add(sessionId);
    }
    opened.stream.comment('open');
    if (!this.#isTicking) void this.#tick();
    return opened.stream;
  }

  /**
   * Throws beyond 200 streams of the key or 2,000 in all: `method_not_allowed`, which clients of Streamable
   * HTTP take for a server without streams, where the stream is optional, else `unavailable`. Throws
   * `unavailable` while the service stops.
   */
  requireRoom({ apiKey }: Caller, isOptional: boolean): void {
    if (this.#services.stopping.aborted) throw unavailable('The service is shutting down.');
    const isKeyFull = (this.#countOfKey.get(apiKey.id) ?? 0) >= STREAMS_OF_KEY_MAX;
    if (!isKeyFull && this.#open.size < STREAMS_MAX) return;
    const message = isKeyFull
      ? `This key has ${STREAMS_OF_KEY_MAX} open streams already.`
      : 'Too many streams are open.';
    if (isOptional) throw new AppError('method_not_allowed', message, { allow: ['POST'] });
    throw unavailable(message);
  }

  has(sessionId: string): boolean {
    return this.#ofSession.has(sessionId);
  }

  /** Sends a session's event, once however often it is asked to; false when its stream is not open. */
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

  /** Once a second while there are streams. */
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
    const { directory, platform } = this.#services;
    const apiKey = directory.findApiKey(opened.keyId);
    if (apiKey === null || !isInForce(apiKey, platform.now())) {
      opened.stream.close();
    } else if (nowMs - opened.aliveAtMs >= KEEP_ALIVE_MS) {
      opened.aliveAtMs = nowMs;
      opened.stream.comment('keep-alive');
    }
  }

  #forget(opened: OpenStream): void {
    const { keyId, sessionId } = opened;
    this.#open.delete(opened);
    const left = this.#countOfKey.get(keyId)! - 1;
    if (left === 0) this.#countOfKey.delete(keyId);
    else this.#countOfKey.set(keyId, left);
    if (sessionId !== null && this.#ofSession.get(sessionId) === opened) {
      this.#ofSession.delete(sessionId);
      this.#services.openSessions.delete(sessionId);
    }
  }

  #closeAll(): void {
    for (const { stream } of [...this.#open]) stream.close();
  }
}

/** How an event is named to its client, who names it again when it comes back. */
export function eventId(sessionId: string, number: number): string {
  return `${sessionId}.${number}`;
}

/** The session and number in an event's name; null for any other text. */
export function parseEventId(text: string): { sessionId: string; number: number } | null {
  const [, sessionId, number] = /^([0-9a-f-]{36})\.(\d{1,9})$/.exec(text) ?? [];
  return sessionId === undefined ? null : { sessionId, number: Number(number) };
}

function unavailable(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterMs: RETRY_MS });
}
