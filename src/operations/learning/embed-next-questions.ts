import { parseQuestion } from '../../search/query/parse-question.ts';
import { findUnembeddedQuestions, saveQuestionVectors } from '../../storage/learned-pairs.ts';
import type { LearnedQuestion } from '../../storage/learned-voices.ts';
import { learningLanguage } from './learned.ts';
import type { LearningServices } from './learning-services.ts';

/** Questions read by the model before their vectors are written. */
const BATCH_QUESTIONS = 16;

/**
 * Gives the next learned questions the vectors of the model that answers their organization; false when
 * all have one or there is no model.
 * Throws `unavailable` if the model does.
 */
export async function embedNextQuestions(
  services: LearningServices,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, directory, embeddings, learned } = services;
  // Before its first answer the model's key is not known.
  if (!learned.isOn || embeddings.model === null) return false;
  const batch = { modelKey: embeddings.model.key, limit: BATCH_QUESTIONS };
  const found = await findUnembeddedQuestions(db, batch);
  const modelKeyOf = ({ organizationKey }: Pick<LearnedQuestion, 'organizationKey'>) =>
    embeddings.answeringKey(directory.vectorModelKey(organizationKey));
  // Those of one model at a time.
  const questions = found.filter((question) => modelKeyOf(question) === modelKeyOf(found[0]!));
  if (questions.length === 0) return false;
  const modelKey = modelKeyOf(questions[0]!);
  if (modelKey !== null && !(await embeddings.canRead(modelKey))) return false;
  const texts = questions.map(
    ({ organizationKey, question }) =>
      parseQuestion(question, learningLanguage(services, organizationKey)).embeddingText,
  );
  const { vectors, model } = await embeddings.questionVectors(texts, signal, modelKey);
  await db.stage(saveQuestionVectors(model.key, questions, vectors));
  return true;
}
