import type { Database } from './engine/database.ts';
import type { Statement } from './engine/statement.ts';
import type { LearnedQuestion } from './learned-voices.ts';

/** What changes with an organization's learning. */
export interface LearningState {
  readonly organizationKey: number;
  /** Grows with everything that is added. */
  readonly revision: number;
  /** Grows with everything that is taken out. */
  readonly generation: number;
}

export async function findLearningStates(db: Database): Promise<readonly LearningState[]> {
  return db.poll<LearningState>({
    sql: `SELECT organization_key AS organizationKey, revision, generation FROM learning`,
    args: [],
  });
}

/** The voices for a pair, counted. */
export interface LearnedPair {
  readonly questionKey: string;
  readonly itemId: string;
  readonly voices: number;
  readonly weight: number;
  readonly revision: number;
}

/** The pairs that changed after `after`, in that order. */
export async function findPairsAfter(
  db: Database,
  organizationKey: number,
  {
    after,
    limit,
  }: { after: Pick<LearnedPair, 'revision' | 'questionKey' | 'itemId'>; limit: number },
): Promise<LearnedPair[]> {
  return db.all<LearnedPair>({
    sql: `SELECT question_key AS questionKey, item_id AS itemId, voices, weight, revision
          FROM learned_pairs WHERE organization_key = ? AND (revision, question_key, item_id) > (?, ?, ?)
          ORDER BY revision, question_key, item_id LIMIT ?`,
    args: [organizationKey, after.revision, after.questionKey, after.itemId, limit],
  });
}

/** A question with the vector of a model, a `vector8` BLOB; null if it has none of that model. */
export interface EmbeddedQuestion {
  readonly questionKey: string;
  readonly question: string;
  readonly vector: Uint8Array | null;
  readonly revision: number;
}

/** The questions that changed after `after`, in that order. `modelKey` null: without vectors. */
export async function findQuestionsAfter(
  db: Database,
  organizationKey: number,
  {
    after,
    modelKey,
    limit,
  }: {
    after: Pick<EmbeddedQuestion, 'revision' | 'questionKey'>;
    modelKey: number | null;
    limit: number;
  },
): Promise<EmbeddedQuestion[]> {
  const rows = await db.all<Omit<EmbeddedQuestion, 'vector'> & { vector: ArrayBuffer | null }>({
    sql: `SELECT question_key AS questionKey, question, revision,
            CASE WHEN model_key = ? THEN vector END AS vector
          FROM learned_questions WHERE organization_key = ? AND (revision, question_key) > (?, ?)
          ORDER BY revision, question_key LIMIT ?`,
    args: [modelKey, organizationKey, after.revision, after.questionKey, limit],
  });
  return rows.map(({ vector, ...row }) => ({
    ...row,
    vector: vector === null ? null : new Uint8Array(vector),
  }));
}

/**
 * Questions without a vector of the model that answers their organization. `modelKey`: that of
 * organizations without one.
 */
export async function findUnembeddedQuestions(
  db: Database,
  { modelKey, limit }: { modelKey: number; limit: number },
): Promise<readonly LearnedQuestion[]> {
  return db.poll<LearnedQuestion>({
    sql: `SELECT organization_key AS organizationKey, question_key AS questionKey, question
          FROM learned_questions q JOIN organizations o ON o.key = q.organization_key
          WHERE q.model_key IS NOT coalesce(o.vector_model_key, ?) LIMIT ?`,
    args: [modelKey, limit],
  });
}

/** Stores the vectors of questions, in order. */
export function saveQuestionVectors(
  modelKey: number,
  questions: readonly LearnedQuestion[],
  vectors: readonly Float32Array[],
): Statement[] {
  const organizations = JSON.stringify(questions.map(({ organizationKey }) => organizationKey));
  return [
    {
      sql: `UPDATE learning SET revision = revision + 1
            WHERE organization_key IN (SELECT value FROM json_each(?))`,
      args: [organizations],
    },
    ...questions.map(({ organizationKey, questionKey }, index) => {
      const { buffer, byteOffset, byteLength } = vectors[index]!;
      return {
        sql: `UPDATE learned_questions SET model_key = ?, vector = vector8(vector32(?)),
                revision = (SELECT revision FROM learning WHERE organization_key = ?)
              WHERE organization_key = ? AND question_key = ?`,
        args: [
          ...[modelKey, new Uint8Array(buffer, byteOffset, byteLength)],
          ...[organizationKey, organizationKey, questionKey],
        ],
      };
    }),
  ];
}

/** Counts of an organization's pairs. */
export interface PairSummary {
  readonly questions: number;
  readonly pairs: number;
  /** Pairs with at least the given number of voices. */
  readonly movingPairs: number;
  readonly clients: number;
}

export async function summarizePairs(
  db: Database,
  organizationKey: number,
  voicesMin: number,
): Promise<PairSummary> {
  const [row] = await db.all<PairSummary>({
    sql: `SELECT count(DISTINCT question_key) FILTER (WHERE isChoice) AS questions,
            count(*) FILTER (WHERE isChoice) AS pairs,
            count(*) FILTER (WHERE isChoice AND voices >= ?) AS movingPairs,
            total(voices) FILTER (WHERE question_key = '' AND item_id = '') AS clients
          FROM (SELECT *, question_key <> '' AND item_id <> '' AS isChoice
                FROM learned_pairs WHERE organization_key = ?)`,
    args: [voicesMin, organizationKey],
  });
  return row!;
}

/** An item with the clients that chose it, of those who asked. */
export interface BestPair {
  /** Null: whatever was asked. */
  readonly question: string | null;
  readonly itemId: string;
  readonly chosenBy: number;
  readonly of: number;
}

/** The pairs of the greatest weight; `questionKey` null: of every question, and of none. */
export async function findBestPairs(
  db: Database,
  organizationKey: number,
  { questionKey, limit }: { questionKey: string | null; limit: number },
): Promise<BestPair[]> {
  return db.all<BestPair>({
    sql: `SELECT q.question AS question, p.item_id AS itemId, p.voices AS chosenBy,
            coalesce(a.voices, p.voices) AS "of"
          FROM learned_pairs p
          LEFT JOIN learned_questions q USING (organization_key, question_key)
          LEFT JOIN learned_pairs a ON a.organization_key = p.organization_key
            AND a.question_key = p.question_key AND a.item_id = ''
          WHERE p.organization_key = ? AND p.item_id <> ''
            ${questionKey === null ? '' : 'AND p.question_key = ?'}
          ORDER BY p.question_key = '', p.weight DESC, p.question_key, p.item_id LIMIT ?`,
    args: [organizationKey, ...(questionKey === null ? [] : [questionKey]), limit],
  });
}
