import type { Database } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/** A conversation of the session transports. Times in milliseconds since the epoch. */
export interface StoredSession {
  readonly id: string;
  readonly organizationKey: number;
  /** Null for a caller without a key. */
  readonly apiKeyId: string | null;
  /** The protocol's revision that `initialize` agreed on; null before. */
  readonly revision: string | null;
  readonly seenAt: number;
}

export async function findSession(db: Database, id: string): Promise<StoredSession | null> {
  const [row] = await db.all<StoredSession>({
    sql: `SELECT id, organization_key AS organizationKey, nullif(api_key_id, '') AS apiKeyId, revision,
            seen_at AS seenAt
          FROM mcp_sessions WHERE id = ?`,
    args: [id],
  });
  return row ?? null;
}

/**
 * Sessions with a key and sessions without one are limited separately, so that neither evicts the
 * other.
 */
const OF_KIND = `organization_key = ? AND (api_key_id = '') = ?`;

/** Selects an organization's sessions of one kind. */
export interface SessionKind {
  readonly organizationKey: number;
  readonly isPublic: boolean;
  /** Only those of clients at this address; null: all. */
  readonly network: string | null;
}

/**
 * Adds a session. Resolves with the numbers of sessions of its kind that its organization then has, in
 * all and from its network.
 */
export async function insertSession(
  db: Database,
  { id, organizationKey, apiKeyId, revision, seenAt }: StoredSession,
  network: string,
): Promise<{ inAll: number; ofNetwork: number }> {
  const [, counted] = await db.write([
    {
      sql: `INSERT INTO mcp_sessions
              (id, organization_key, api_key_id, revision, network, created_at, seen_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)`,
      args: [id, organizationKey, apiKeyId ?? '', revision, network, seenAt, seenAt],
    },
    {
      sql: `SELECT count(*), sum(network = ?) FROM mcp_sessions WHERE ${OF_KIND}`,
      args: [network, organizationKey, apiKeyId === null ? 1 : 0],
    },
  ]);
  const row = counted!.rows[0]!;
  return { inAll: Number(row[0]), ofNetwork: Number(row[1]) };
}

/**
 * Ids of the organization's sessions of one kind, least recently used first, without those in
 * `except`.
 */
export async function findLeastUsed(
  db: Database,
  { organizationKey, isPublic, network }: SessionKind,
  { except, limit }: { except: Iterable<string>; limit: number },
): Promise<string[]> {
  const rows = await db.all<{ id: string }>({
    sql: `SELECT id FROM mcp_sessions
          WHERE ${OF_KIND} AND network = coalesce(?, network)
            AND id NOT IN (SELECT value FROM json_each(?))
          ORDER BY seen_at, id LIMIT ?`,
    args: [organizationKey, isPublic ? 1 : 0, network, JSON.stringify([...except]), limit],
  });
  return rows.map(({ id }) => id);
}

export function agreeOnRevision(id: string, revision: string): Statement {
  return { sql: 'UPDATE mcp_sessions SET revision = ? WHERE id = ?', args: [revision, id] };
}

export function touchSession(id: string, seenAt: number): Statement {
  return { sql: 'UPDATE mcp_sessions SET seen_at = ? WHERE id = ?', args: [seenAt, id] };
}

export function deleteSession(id: string): Statement[] {
  return deleteSessions('id = ?', [id]);
}

/**
 * Deletes sessions that have been idle since before `seenBefore`, events sent before `sentBefore`, and
 * the addresses in sessions that began before `seenBefore`.
 */
export function forgetIdle({
  seenBefore,
  sentBefore,
}: {
  seenBefore: number;
  sentBefore: number;
}): Statement[] {
  return [
    ...deleteSessions('seen_at < ?', [seenBefore]),
    { sql: 'DELETE FROM mcp_events WHERE created_at < ?', args: [sentBefore] },
    {
      sql: `UPDATE mcp_sessions SET network = '' WHERE created_at < ? AND network <> ''`,
      args: [seenBefore],
    },
  ];
}

function deleteSessions(where: string, args: readonly (string | number)[]): Statement[] {
  return [
    {
      sql: `DELETE FROM mcp_events WHERE session_id IN (SELECT id FROM mcp_sessions WHERE ${where})`,
      args,
    },
    { sql: `DELETE FROM mcp_sessions WHERE ${where}`, args },
  ];
}

/** An event of a session's stream, numbered from 1. */
export interface StoredEvent {
  readonly number: number;
  readonly message: string;
}

/**
 * Stores a message as the session's next event and keeps only the latest `keep` events. Resolves
 * with the event's number, or null if the session is gone.
 */
export async function appendEvent(
  db: Database,
  event: { sessionId: string; message: string; sentAt: number },
  keep: number,
): Promise<number | null> {
  const { sessionId, message, sentAt } = event;
  const [counted] = await db.write([
    {
      sql: 'UPDATE mcp_sessions SET last_event = last_event + 1, seen_at = ? WHERE id = ? RETURNING last_event',
      args: [sentAt, sessionId],
    },
    {
      sql: `INSERT INTO mcp_events (session_id, number, message, created_at)
            SELECT id, last_event, ?, ? FROM mcp_sessions WHERE id = ?`,
      args: [message, sentAt, sessionId],
    },
    {
      sql: `DELETE FROM mcp_events WHERE session_id = ? AND number <=
              (SELECT last_event FROM mcp_sessions WHERE id = ?) - ?`,
      args: [sessionId, sessionId, keep],
    },
  ]);
  const number = counted!.rows[0]?.[0];
  return number === undefined ? null : Number(number);
}

/** The stored events of the session after `number`, in order. */
export async function findEventsAfter(
  db: Database,
  sessionId: string,
  number: number,
): Promise<StoredEvent[]> {
  return db.all({
    sql: 'SELECT number, message FROM mcp_events WHERE session_id = ? AND number > ? ORDER BY number',
    args: [sessionId, number],
  });
}
