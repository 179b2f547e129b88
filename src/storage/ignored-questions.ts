import type { Database } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';

/** The questions that an organization ignores, in order. */
export async function findIgnoredQuestions(
  db: Database,
  organizationKey: number,
): Promise<string[]> {
  const rows = await db.all<{ question: string }>({
    sql: 'SELECT question FROM ignored_questions WHERE organization_key = ? ORDER BY question',
    args: [organizationKey],
  });
  return rows.map(({ question }) => question);
}

export function saveIgnoredQuestion(
  organizationKey: number,
  { question, isIgnored }: { question: string; isIgnored: boolean },
): Statement {
  return {
    sql: isIgnored
      ? 'INSERT INTO ignored_questions (organization_key, question) VALUES (?, ?) ON CONFLICT DO NOTHING'
      : 'DELETE FROM ignored_questions WHERE organization_key = ? AND question = ?',
    args: [organizationKey, question],
  };
}
