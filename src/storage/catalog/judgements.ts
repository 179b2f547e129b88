import { and, asc, eq } from 'drizzle-orm';
import type { Grade } from '../../domain/grade.ts';
import type { Database } from '../engine/database.ts';
import { judgements } from '../engine/schema.ts';
import { type Statement, statement } from '../engine/statement.ts';

/** An operator's judgement of one item as an answer to a question. */
export interface Judgement {
  readonly question: string;
  readonly externalId: string;
  readonly grade: Grade;
  readonly judgedAt: number;
}

/** Replaces an earlier judgement of the same question and item. */
export function saveJudgement(
  db: Database,
  organizationKey: number,
  judgement: Judgement,
): Statement {
  const { grade, judgedAt } = judgement;
  return statement(
    db.orm
      .insert(judgements)
      .values({ organizationKey, ...judgement })
      .onConflictDoUpdate({
        target: [judgements.organizationKey, judgements.question, judgements.externalId],
        set: { grade, judgedAt },
      }),
  );
}

export function deleteJudgement(
  db: Database,
  organizationKey: number,
  { question, externalId }: Pick<Judgement, 'question' | 'externalId'>,
): Statement {
  return statement(
    db.orm
      .delete(judgements)
      .where(
        and(
          eq(judgements.organizationKey, organizationKey),
          eq(judgements.question, question),
          eq(judgements.externalId, externalId),
        ),
      ),
  );
}

/**
 * An organization's judgements, ordered by question and external id; only those of `question` if it
 * is given.
 */
export async function findJudgements(
  db: Database,
  organizationKey: number,
  { question, limit }: { question?: string; limit: number },
): Promise<Judgement[]> {
  const ofOrganization = eq(judgements.organizationKey, organizationKey);
  const rows = await db.find(
    db.orm
      .select()
      .from(judgements)
      .where(
        question === undefined
          ? ofOrganization
          : and(ofOrganization, eq(judgements.question, question)),
      )
      .orderBy(asc(judgements.question), asc(judgements.externalId))
      .limit(limit),
  );
  return rows.map(({ organizationKey: _, grade, ...row }) => ({ ...row, grade: grade as Grade }));
}
