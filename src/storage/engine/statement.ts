/** An SQL statement and its arguments, as the client takes them. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly (string | number | null | Uint8Array)[];
}

/** Converts a Drizzle builder to a statement, for `write` or `poll`. */
export function statement(query: { toSQL(): { sql: string; params: unknown[] } }): Statement {
  const { sql, params } = query.toSQL();
  return { sql, args: params as (string | number | null | Uint8Array)[] };
}
