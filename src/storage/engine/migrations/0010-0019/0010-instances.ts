/** Tables whose rows every instance holds in memory, with the columns whose change does not concern the others. */
const DIRECTORY = {
  organizations: 'UPDATE',
  shops: 'UPDATE',
  // When a key was used last is written every minute.
  api_keys: 'UPDATE OF name, scopes, expires_at, revoked_at, rotated_at',
};

function follow(table: string, event: string, subject: string): string {
  const name = `${table}_are_followed_${event.slice(0, 6).toLowerCase()}`;
  return `CREATE TRIGGER ${name} AFTER ${event} ON ${table}
BEGIN UPDATE revisions SET revision = revision + 1 WHERE subject = '${subject}'; END;`;
}

/** What several instances on one libSQL server need of each other. A file's only process needs neither. */
export const instances = `
-- Who does what only one instance may do at a time. Times are the server's own.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  until INTEGER NOT NULL
) WITHOUT ROWID;

-- Numbers that grow whenever something changes that instances keep in memory.
CREATE TABLE revisions (
  subject TEXT PRIMARY KEY,
  revision INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO revisions (subject, revision) VALUES ('directory', 0), ('landing_pages', 0);

${Object.entries(DIRECTORY)
  .flatMap(([table, update]) =>
    ['INSERT', update, 'DELETE'].map((event) => [table, event] as const),
  )
  .map(([table, event]) => follow(table, event, 'directory'))
  .join('\n')}
${follow('landing_pages', 'UPDATE OF built_at', 'landing_pages')}
`;
