import { AppError } from '../../domain/errors.ts';
import { isUuid, randomId } from '../../domain/ids.ts';
import {
  appendEvent,
  deleteSession,
  findEventsAfter,
  findLeastUsed,
  findSession,
  forgetIdle,
  insertSession,
  type SessionKind,
  type StoredEvent,
  type StoredSession,
  touchSession,
} from '../../storage/sessions.ts';
import type { Caller } from '../tenants/admit.ts';
import type { AssistantServices } from './assistant-services.ts';

/** Most sessions with a key per organization, and as many without one. Clients seldom end theirs, so the least recently used one makes room. */
const SESSIONS_MAX = 1000;

/** Sessions examined to find one without a stream. Those with a stream are rarely the least recently used. */
const LOOKED_AT_ONCE = 32;

const IDLE_MS_MAX = 24 * 3_600_000;

/** Precision of a session's last use, so that not every request writes a row. */
const SEEN_EXACT_MS = 60_000;

/** How much of a stream is kept for a client that reconnects: the latest messages of the last minutes. */
const EVENTS_KEPT = 16;
const EVENTS_KEPT_MS = 10 * 60_000;

export type Session = StoredSession;

/** Begins a session for the caller. A session with a stream never makes room for it. */
export async function beginSession(
  { db, platform, openSessions }: AssistantServices,
  { organization, apiKey }: Caller,
): Promise<Session> {
  const session = {
    id: randomId(platform.randomBytes(16)),
    organizationKey: organization.key,
    apiKeyId: apiKey?.id ?? null,
    seenAt: platform.now(),
  };
  const count = await insertSession(db, session);
  const kind = { organizationKey: organization.key, isPublic: apiKey === null };
  const surplus = await findUnused(db, kind, {
    openSessions,
    wanted: count - SESSIONS_MAX,
  });
  if (surplus.length > 0) await db.write(surplus.flatMap(deleteSession));
  return session;
}

/** The least recently used sessions of a kind without an open stream, up to a count; fewer if most have one. */
async function findUnused(
  db: AssistantServices['db'],
  kind: SessionKind,
  { openSessions, wanted }: { openSessions: ReadonlySet<string>; wanted: number },
): Promise<string[]> {
  const unused: string[] = [];
  for (let offset = 0; unused.length < wanted; offset += LOOKED_AT_ONCE) {
    const page = await findLeastUsed(db, kind, { offset, limit: LOOKED_AT_ONCE });
    unused.push(...page.filter((id) => !openSessions.has(id)));
    if (page.length < LOOKED_AT_ONCE) break;
  }
  return unused.slice(0, Math.max(0, wanted));
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
