/** A statement as both drizzle's builders (`toSQL()`) and the client spell it. */
export interface Statement {
  readonly sql: string;
  readonly args: readonly (string | number | null | Uint8Array)[];
}

/** What a drizzle builder would run, for `write`. */
export function statement(query: { toSQL(): { sql: string; params: unknown[] } }): Statement {
  const { sql, params } = query.toSQL();
  return { sql, args: params as (string | number | null | Uint8Array)[] };
}
