import { createHash } from 'node:crypto';
import type { Platform } from '../../platform.ts';

/** How long a link waits to be opened, and how long a browser then stays signed in without use. */
const LINK_MS = 10 * 60_000;
const SESSION_IDLE_MS = 12 * 3_600_000;

/** Links and sessions at once; the oldest goes first. */
const KEPT_MAX = 100;

const TOKEN_BYTES = 32;

/**
 * Who may see the admin page: whoever opens a link that a command on this machine printed, once, and
 * from then on that browser. Kept in memory alone, as hashes: a restart signs everybody out.
 */
export class AdminSessions {
  readonly #platform: Pick<Platform, 'monotonicMs' | 'randomBytes'>;
  /** Hash of the token → when it ends, on the monotonic clock. */
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  /** Of the operator's listener; null while there is none. */
  #baseUrl: string | null = null;

  constructor(platform: Pick<Platform, 'monotonicMs' | 'randomBytes'>) {
    this.#platform = platform;
  }

  /** Where the page turned out to be, `http://host:port`. */
  listensAt(baseUrl: string): void {
    this.#baseUrl = baseUrl;
  }

  /** An address that opens the page once within ten minutes; null where nothing serves the page. */
  createLink(): string | null {
    if (this.#baseUrl === null) return null;
    return `${this.#baseUrl}/admin?token=${this.#add(this.#links, LINK_MS)}`;
  }

  /** The session that a link's token turns into; null for one that is unknown, used or late. */
  openLink(token: string): string | null {
    const key = hash(token);
    const isGood = this.#isGood(this.#links, key);
    this.#links.delete(key);
    return isGood ? this.#add(this.#sessions, SESSION_IDLE_MS) : null;
  }

  /** Whether a session is in force; using it prolongs it. */
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

/** Looked up by hash, so that the time a comparison takes tells nothing of the token. */
function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
