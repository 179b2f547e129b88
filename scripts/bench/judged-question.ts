import { resolve } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { toReferenceScale } from '../../src/models/cosine-scale.ts';
import { describeCandidates } from '../../src/operations/search/describe-candidates.ts';
import { retrieve } from '../../src/operations/search/retrieve.ts';
import { understandTerms } from '../../src/operations/search/understand-terms.ts';
import { systemPlatform } from '../../src/platform.ts';
import { flatGroups } from '../../src/search/query/expand-terms.ts';
import { parseQuestion } from '../../src/search/query/parse-question.ts';
import type { Candidates } from '../../src/search/ranking/candidates.ts';
import { type Asked, Ranker } from '../../src/search/ranking/rank.ts';
import { languageOf } from '../../src/search/text/language.ts';
import { FEEDBACK_CANDIDATES } from '../../src/search/tuning/ranking-weights.ts';
import { type OpenServices, openServices } from '../../src/services.ts';
import { findItems } from '../../src/storage/catalog/items.ts';

/** Maximum wait for a question's embedding; long, because nothing else is waiting. */
const PATIENT_MS = 60_000;

/** A question with everything that ranks its candidates. */
export interface JudgedQuestion {
  readonly candidates: Candidates;
  readonly asked: Asked;
  readonly feedback: ArrayLike<number>;
  readonly externalIds: ReadonlyMap<number, string>;
}

/** Opens a data folder in which every document has a vector. */
export async function openJudged(dataFolder: string): Promise<OpenServices> {
  const folder = { dataFolder: resolve(dataFolder), flags: {}, environment: {}, file: {} };
  const config = { ...readConfig(folder), embedderBudgetMs: PATIENT_MS };
  const platform = systemPlatform('error');
  const services = await openServices({ config, platform, create: false, isAlone: true });
  await services.embeddings.load();
  return services;
}

/** Asks the first organization. `limit`: the candidates from each retriever. */
export async function askJudged(
  services: OpenServices,
  text: string,
  limit: number,
): Promise<JudgedQuestion> {
  const { db, directory, embeddings, indexes } = services;
  const organizationKey = directory.organizations()[0]!.key;
  const loaded = await indexes.forSearch(organizationKey);
  const language = languageOf(directory.shopsOf(organizationKey)[0]!.locale);
  const question = parseQuestion(text, language);
  const { groups, headGroup, accessories, compounds } = understandTerms(loaded.index, question);
  const vector = await embeddings.questionVector(question.embeddingText);
  if (vector.state !== 'ready') throw new Error('The embedding model does not answer.');
  const { constraints, isSentence, asksShop, asksPolicy, measures } = question;
  const exclusions = constraints.filter((constraint) => constraint.kind === 'exclude');
  const scope = { organizationKey, shopKeys: null, productsOnly: false };
  const retrieved = retrieve(loaded, scope, {
    groups: flatGroups(groups),
    embedding: vector,
    pinned: [],
    limit,
  });
  const { scale } = vector.model;
  const candidates = describeCandidates(retrieved, {
    ...{ groups, headGroup, accessories, compounds, exclusions, scale },
  });
  const asked = {
    ...{ groups, headGroup, isSentence, asksShop, asksPolicy, measures, constraints },
    ...{ isEnglish: language.code === 'en', hasVector: true },
  };
  const best = new Ranker(candidates, asked, { skipScoring: false }).best(FEEDBACK_CANDIDATES);
  const feedback = Array.from(retrieved.measureCommon(best), toReferenceScale(scale));
  const itemKeys = Array.from(candidates.documents, (_, at) => candidates.itemKey(at));
  const items = await findItems(db, organizationKey, itemKeys);
  const externalIds = new Map([...items].map(([key, { item }]) => [key, item.externalId]));
  return { candidates, asked, feedback, externalIds };
}
