import { createHash } from 'node:crypto';
import type { Platform } from '../../platform.ts';

/** How long a link waits to be opened, and how long a browser then stays signed in without use. */
const LINK_MS = 10 * 60_000;
const SESSION_IDLE_MS = 12 * 3_600_000;

/** Most links, and most sessions, at a time; the oldest is removed first. */
const KEPT_MAX = 100;

const TOKEN_BYTES = 32;

/**
 * The browsers that may see the admin page. A command on this machine prints a single-use link; opening
 * it signs the browser in. Sessions are kept only in memory, as hashes, so a restart signs everyone out.
 */
export class AdminSessions {
  readonly #platform: Pick<Platform, 'monotonicMs' | 'randomBytes'>;
  /** Hash of the token → when it ends, on the monotonic clock. */
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  /** Origin of the operator's listener; null while there is none. */
  #baseUrl: string | null = null;

  constructor(platform: Pick<Platform, 'monotonicMs' | 'randomBytes'>) {
    this.#platform = platform;
  }

  /** Sets the page's origin, `http://host:port`. */
  listensAt(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  /** A single-use link to the page, valid for ten minutes; null if no listener serves the page. */
  createLink(): string | null {
    if (this.#baseUrl === null) return null;
    return `${this.#baseUrl}/admin?token=${this.#add(this.#links, LINK_MS)}`;
  }

  /** Exchanges a link's token for a session; null if the token is unknown, used or expired. */
  openLink(token: string): string | null {
    return this.takeLink(token) ? this.#add(this.#sessions, SESSION_IDLE_MS) : null;
  }

  /** Uses up a link's token; false if it is unknown, used or expired. */
  takeLink(token: string): boolean {
    const key = hash(token);
    const isGood = this.#isGood(this.#links, key);
    this.#links.delete(key);
    return isGood;
  }

  /** Whether a session is valid. The check extends it. */
  use(session: string): boolean {
    const key = hash(session);
    if (!this.#isGood(this.#sessions, key)) return false;
    this.#sessions.set(key, this.#platform.monotonicMs() + SESSION_IDLE_MS);
    return true;
  }

  end(session: string): void {
    this.#sessions.delete(hash(session));
  }

  #add(kept: Map<string, number>, lifetimeMs: number): string {
    const token = Buffer.from(this.#platform.randomBytes(TOKEN_BYTES)).toString('base64url');
    kept.set(hash(token), this.#platform.monotonicMs() + lifetimeMs);
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return token;
  }

  #isGood(kept: Map<string, number>, key: string): boolean {
    return (kept.get(key) ?? Number.NEGATIVE_INFINITY) > this.#platform.monotonicMs();
  }
}

/** Tokens are looked up by hash, so that the time of a comparison reveals nothing about the token. */
function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
