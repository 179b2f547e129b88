import type { SqlClient } from './sql-client.ts';

/**
 * Marks a file as ours: "vitr" in ASCII. Without it, a 0-byte file would open as a healthy
 * database.
 */
export const APPLICATION_ID = 0x76697472;

/** Marks a database on a server as ours, because a server does not let us set `application_id`. */
export const SAVE_MARK =
  "INSERT INTO meta (name, value) VALUES ('application', 'vitrine') ON CONFLICT DO NOTHING";

export async function hasMark(client: SqlClient): Promise<boolean> {
  const columns = "SELECT count(*) FROM pragma_table_info('meta') WHERE name IN ('name', 'value')";
  const rows = "SELECT count(*) FROM meta WHERE name = 'application' AND value = 'vitrine'";
  return (await countOf(client, columns)) === 2 && (await countOf(client, rows)) === 1;
}

async function countOf(client: SqlClient, sql: string): Promise<number> {
  const { rows } = await client.execute(sql);
  return Number(rows[0]?.[0] ?? 0);
}
