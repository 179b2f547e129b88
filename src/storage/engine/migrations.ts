import { init } from './migrations/0001-0009/0001-init.ts';
import { rollback } from './migrations/0001-0009/0002-rollback.ts';
import { assistants } from './migrations/0001-0009/0003-assistants.ts';
import { hits } from './migrations/0001-0009/0004-hits.ts';
import { landing } from './migrations/0001-0009/0005-landing.ts';
import { catalogSources } from './migrations/0001-0009/0006-catalog-sources.ts';
import { judgements } from './migrations/0001-0009/0007-judgements.ts';
import { imports } from './migrations/0001-0009/0008-imports.ts';
import { hitFacts } from './migrations/0001-0009/0009-hit-facts.ts';
import { instances } from './migrations/0010-0019/0010-instances.ts';
import { quarantine } from './migrations/0010-0019/0011-quarantine.ts';
import { publicAssistants } from './migrations/0010-0019/0012-public-assistants.ts';
import { oauth } from './migrations/0010-0019/0013-oauth.ts';
import { pushes } from './migrations/0010-0019/0014-pushes.ts';
import { toolSets } from './migrations/0010-0019/0015-tool-sets.ts';
import { storefronts } from './migrations/0010-0019/0016-storefronts.ts';
import { doubtfulSearches } from './migrations/0010-0019/0017-doubtful-searches.ts';
import { rowChecksums } from './migrations/0010-0019/0018-row-checksums.ts';
import { sessionFacts } from './migrations/0010-0019/0019-session-facts.ts';
import { curation } from './migrations/0020-curation.ts';
import { learning } from './migrations/0021-learning.ts';
import { cosineScales } from './migrations/0022-cosine-scales.ts';
import { wordsAnalysis } from './migrations/0023-words-analysis.ts';
import { questionReports } from './migrations/0024-question-reports.ts';
import { formerVectors } from './migrations/0025-former-vectors.ts';
import { memoryAlone, WORD_INDEXES } from './migrations/0026-memory-alone.ts';
import { itemIds } from './migrations/0027-item-ids.ts';
import type { SqlClient } from './sql-client.ts';

export interface Migration {
  readonly id: string;
  readonly sql: string;
  /** A query for statements that come before, one a row, where their number depends on the data. */
  readonly before?: string;
}

/**
 * Oldest first, embedded in the binary. Append only: the SQL of a released entry is never edited.
 * The number in an id is its position and the `user_version` after it has run.
 */
export const MIGRATIONS: readonly Migration[] = [
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
  { id: '0013-oauth', sql: oauth },
  { id: '0014-pushes', sql: pushes },
  { id: '0015-tool-sets', sql: toolSets },
  { id: '0016-storefronts', sql: storefronts },
  { id: '0017-doubtful-searches', sql: doubtfulSearches },
  { id: '0018-row-checksums', sql: rowChecksums },
  { id: '0019-session-facts', sql: sessionFacts },
  { id: '0020-curation', sql: curation },
  { id: '0021-learning', sql: learning },
  { id: '0022-cosine-scales', sql: cosineScales },
  { id: '0023-words-analysis', sql: wordsAnalysis },
  { id: '0024-question-reports', sql: questionReports },
  { id: '0025-former-vectors', sql: formerVectors },
  { id: '0026-memory-alone', sql: memoryAlone, before: WORD_INDEXES },
  { id: '0027-item-ids', sql: itemIds },
];

/** All statements of a migration, separated by semicolons. */
export async function statementsOf(
  client: Pick<SqlClient, 'execute'>,
  { sql, before }: Migration,
): Promise<string> {
  const rows = before === undefined ? [] : (await client.execute(before)).rows;
  return [...rows.map((row) => String(row[0])), sql].join(';\n');
}

/** The schema version of this program. A database with a newer schema is refused. */
export const SCHEMA_VERSION = MIGRATIONS.length;
