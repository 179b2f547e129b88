import { init } from './migrations/0001-init.ts';
import { rollback } from './migrations/0002-rollback.ts';
import { assistants } from './migrations/0003-assistants.ts';
import { hits } from './migrations/0004-hits.ts';
import { landing } from './migrations/0005-landing.ts';
import { catalogSources } from './migrations/0006-catalog-sources.ts';
import { judgements } from './migrations/0007-judgements.ts';
import { imports } from './migrations/0008-imports.ts';
import { hitFacts } from './migrations/0009-hit-facts.ts';
import { instances } from './migrations/0010-instances.ts';
import { quarantine } from './migrations/0011-quarantine.ts';
import { publicAssistants } from './migrations/0012-public-assistants.ts';

/**
 * Oldest first, embedded in the binary. Append only: the SQL of a released entry is never edited.
 * The number in an id is its position and the `user_version` after it has run.
 */
export const MIGRATIONS: readonly { readonly id: string; readonly sql: string }[] = [
  { id: '0001-init', sql: init },
  { id: '0002-rollback', sql: rollback },
  { id: '0003-assistants', sql: assistants },
  { id: '0004-hits', sql: hits },
  { id: '0005-landing', sql: landing },
  { id: '0006-catalog-sources', sql: catalogSources },
  { id: '0007-judgements', sql: judgements },
  { id: '0008-imports', sql: imports },
  { id: '0009-hit-facts', sql: hitFacts },
  { id: '0010-instances', sql: instances },
  { id: '0011-quarantine', sql: quarantine },
  { id: '0012-public-assistants', sql: publicAssistants },
];

/** The schema version of this program. A database with a newer schema is refused. */
export const SCHEMA_VERSION = MIGRATIONS.length;
