import { AppError } from '../../domain/errors.ts';
import { isUuid, randomId } from '../../domain/ids.ts';
import {
  agreeOnRevision,
  appendEvent,
  deleteSession,
  findEventsAfter,
  findLeastUsed,
  findSession,
  forgetIdle,
  insertSession,
  type StoredEvent,
  type StoredSession,
  touchSession,
} from '../../storage/sessions.ts';
import type { Caller } from '../tenants/admit.ts';
import type { AssistantServices } from './assistant-services.ts';

/** Most sessions with a key per organization, and as many without one. Clients seldom end theirs, so the least recently used one makes room. */
const SESSIONS_MAX = 1000;

/**
 * Most sessions without a key per organization from one client address: a fifth, so that no address can
 * end the sessions of all others. It is not less because the assistants of many customers call from one.
 */
const ADDRESS_SESSIONS_MAX = 200;

const IDLE_MS_MAX = 24 * 3_600_000;

/** Precision of a session's last use, so that not every request writes a row. */
const SEEN_EXACT_MS = 60_000;

/** How much of a stream is kept for a client that reconnects: the latest messages of the last minutes. */
const EVENTS_KEPT = 16;
const EVENTS_KEPT_MS = 10 * 60_000;

export type Session = StoredSession;

/**
 * Begins a session for the caller, of the revision that `initialize` has agreed on; null if `initialize` is
 * still to come. A session with a stream never makes room for it.
 */
export async function beginSession(
  { db, platform, openSessions }: AssistantServices,
  caller: Caller,
  revision: string | null,
): Promise<Session> {
  const { organization, apiKey } = caller;
  const network = caller.apiKey === null ? caller.network : null;
  const session = {
    id: randomId(platform.randomBytes(16)),
    organizationKey: organization.key,
    apiKeyId: apiKey?.id ?? null,
    revision,
    seenAt: platform.now(),
  };
  const { inAll, ofNetwork } = await insertSession(db, session, network ?? '');
  const isCrowded = network !== null && ofNetwork > ADDRESS_SESSIONS_MAX;
  const excess = isCrowded ? ofNetwork - ADDRESS_SESSIONS_MAX : inAll - SESSIONS_MAX;
  if (excess <= 0) return session;
  const surplus = await findLeastUsed(
    db,
    {
      organizationKey: organization.key,
      isPublic: network !== null,
      network: isCrowded ? network : null,
    },
    { except: openSessions, limit: excess },
  );
  if (surplus.length > 0) await db.write(surplus.flatMap(deleteSession));
  return session;
}

/** Keeps the revision that `initialize` has agreed on within the session. */
export async function agreeInSession(
  { db }: AssistantServices,
  { id }: Session,
  revision: string,
): Promise<void> {
  await db.write([agreeOnRevision(id, revision)]);
}

/**
 * The caller's session with that id. Reading it counts as use. Throws `session_not_found`, always in the
 * same words, if it is unknown, expired, or belongs to another key or organization.
 */
export async function useSession(
  { db, platform, retentionClock }: AssistantServices,
  { organization, apiKey }: Caller,
  id: string,
): Promise<Session> {
  const session = isUuid(id) ? await findSession(db, id.toLowerCase()) : null;
  const nowMs = platform.now();
  const isIdle = session !== null && session.seenAt <= retentionClock.now() - IDLE_MS_MAX;
  const isOwn =
    session?.organizationKey === organization.key && session.apiKeyId === (apiKey?.id ?? null);
  if (session === null || isIdle || !isOwn)
    throw new AppError('session_not_found', 'There is no such session: begin a new one.');
  if (session.seenAt <= nowMs - SEEN_EXACT_MS) await db.write([touchSession(session.id, nowMs)]);
  return session;
}

export async function endSession({ db }: AssistantServices, { id }: Session): Promise<void> {
  await db.write(deleteSession(id));
}

/** Stores a message as the next event of the session's stream. Returns its number, or null if the session has ended. */
export async function recordEvent(
  { db, platform }: AssistantServices,
  { id }: Session,
  message: string,
): Promise<number | null> {
  return appendEvent(db, { sessionId: id, message, sentAt: platform.now() }, EVENTS_KEPT);
}

/** The stored events that the session's client has missed since event `number`. */
export async function missedEvents(
  { db }: AssistantServices,
  { id }: Session,
  number: number,
): Promise<StoredEvent[]> {
  return findEventsAfter(db, id, number);
}

/** Deletes unused sessions and expired events. */
export async function forgetIdleSessions({
  db,
  platform,
  retentionClock,
  openSessions,
}: AssistantServices): Promise<void> {
  const nowMs = retentionClock.now();
  await db.write([
    // An open stream counts as use of the session.
    ...[...openSessions].map((id) => touchSession(id, platform.now())),
    ...forgetIdle({ seenBefore: nowMs - IDLE_MS_MAX, sentBefore: nowMs - EVENTS_KEPT_MS }),
  ]);
}
