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

/** Sessions with a key that an organization may have, and as many without one: clients seldom end theirs, so the one unused for longest makes room. */
const SESSIONS_MAX = 1000;

/** Sessions looked at for one without a stream: those that have one are rarely the least used. */
const LOOKED_AT_ONCE = 32;

const IDLE_MS_MAX = 24 * 3_600_000;

/** How exactly it is known when a session was last used: a row is not written for every request. */
const SEEN_EXACT_MS = 60_000;

/** What a client that comes back can be told again: answers to the last questions of the last minutes. */
const EVENTS_KEPT = 16;
const EVENTS_KEPT_MS = 10 * 60_000;

export type Session = StoredSession;

/** Begins a session of the caller's. One that has a stream never makes room for it. */
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

/** So many sessions of a kind, those that were unused for longest, none with an open stream; fewer where most have one. */
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
 * The caller's session with that id, which is used by being asked for. Throws `session_not_found` for one that is
 * unknown, expired, another key's or another organization's, in the same words.
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

/** Keeps a message as the next event of the session's stream; its number, or null when the session was ended. */
export async function recordEvent(
  { db, platform }: AssistantServices,
  { id }: Session,
  message: string,
): Promise<number | null> {
  return appendEvent(db, { sessionId: id, message, sentAt: platform.now() }, EVENTS_KEPT);
}

/** What the session's client has missed since event `number`, as far as it is kept. */
export async function missedEvents(
  { db }: AssistantServices,
  { id }: Session,
  number: number,
): Promise<StoredEvent[]> {
  return findEventsAfter(db, id, number);
}

/** Clears away sessions that nobody uses any more, and events that nobody will ask for again. */
export async function forgetIdleSessions({
  db,
  platform,
  retentionClock,
  openSessions,
}: AssistantServices): Promise<void> {
  const nowMs = retentionClock.now();
  await db.write([
    // Who listens uses the session too.
    ...[...openSessions].map((id) => touchSession(id, platform.now())),
    ...forgetIdle({ seenBefore: nowMs - IDLE_MS_MAX, sentBefore: nowMs - EVENTS_KEPT_MS }),
  ]);
}
