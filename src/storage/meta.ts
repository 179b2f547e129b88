import { and, eq, gte, lt } from 'drizzle-orm';
import type { Database } from './engine/database.ts';
import { meta } from './engine/schema.ts';
import { type Statement, statement } from './engine/statement.ts';

/** The value stored under `name`, or null. */
export async function findMeta(db: Database, name: string): Promise<string | null> {
  const [row] = await db.find(db.orm.select().from(meta).where(eq(meta.name, name)));
  return row?.value ?? null;
}

/** As `findMeta`, for a background task; see `Database.poll`. */
export async function pollMeta(db: Database, name: string): Promise<string | null> {
  const query = db.orm.select({ value: meta.value }).from(meta).where(eq(meta.name, name));
  const [row] = await db.poll<{ value: string }>(statement(query));
  return row?.value ?? null;
}

/** The value stored under `name`. If there is none, stores and returns the result of `make`. */
export async function findOrSaveMeta(
  db: Database,
  name: string,
  make: () => string,
): Promise<string> {
  await db.write([
    statement(db.orm.insert(meta).values({ name, value: make() }).onConflictDoNothing()),
  ]);
  const [row] = await db.find(db.orm.select().from(meta).where(eq(meta.name, name)));
  return row!.value;
}

export function deleteMeta(db: Database, name: string): Statement {
  return statement(db.orm.delete(meta).where(eq(meta.name, name)));
}

/** Deletes all values that equal `value` and whose names begin with `prefix`. */
export function deleteMetaOf(db: Database, prefix: string, value: string): Statement {
  return statement(db.orm.delete(meta).where(and(beginsWith(prefix), eq(meta.value, value))));
}

/** The values whose names begin with `prefix`. For a background task; see `Database.poll`. */
export function pollMetaOf(
  db: Database,
  prefix: string,
): Promise<readonly { name: string; value: string }[]> {
  return db.poll(statement(db.orm.select().from(meta).where(beginsWith(prefix))));
}

/** A range, which the primary key answers; LIKE would read every row. */
function beginsWith(prefix: string) {
  return and(gte(meta.name, prefix), lt(meta.name, `${prefix}\u{10ffff}`));
}

/** Stores `value` under `name` and replaces any earlier value. */
export function saveMeta(db: Database, name: string, value: string): Statement {
  return statement(
    db.orm
      .insert(meta)
      .values({ name, value })
      .onConflictDoUpdate({ target: meta.name, set: { value } }),
  );
}
