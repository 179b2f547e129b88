import { REFERENCE_SCALE, toReferenceScale } from '../../models/cosine-scale.ts';
import { type LearnedAnswers, LearnedModel } from '../../search/learning/learned-model.ts';
import { limitsOf, questionKey } from '../../search/learning/question-key.ts';
import { parseQuestion, type Question } from '../../search/query/parse-question.ts';
import { type Language, languageOf } from '../../search/text/language.ts';
import { readVector8 } from '../../search/vectors/vector8.ts';
import {
  findLearningStates,
  findPairsAfter,
  findQuestionsAfter,
  type LearningState,
} from '../../storage/learned-pairs.ts';
import type { BaseServices } from '../base-services.ts';
import type { EmbeddingModel, Embeddings } from '../indexes/embeddings.ts';

/** Rows read at once, which takes a few milliseconds. */
const SLICE = 500;

interface LearnedOptions extends Pick<BaseServices, 'db' | 'platform' | 'directory'> {
  readonly embeddings: Pick<Embeddings, 'answeringKey' | 'modelOf'>;
  /** False: nothing is learned and nothing that was learned counts. */
  readonly isOn: boolean;
}

/** What is in memory of one organization. */
interface Held {
  readonly model: LearnedModel;
  readonly generation: number;
  /** The model of its vectors; null before one is known. */
  readonly modelKey: number | null;
  revision: number;
}

/** A question as a search asks it. */
interface Asking {
  readonly organizationKey: number;
  readonly question: Question;
  /** Null: only the same question counts. */
  readonly embedding: { readonly vector: Float32Array; readonly model: EmbeddingModel } | null;
}

/** The language in which the questions of an organization are compared: that of its first shop. */
export function learningLanguage(
  { directory }: Pick<BaseServices, 'directory'>,
  organizationKey: number,
): Language {
  return languageOf(directory.shopsOf(organizationKey)[0]?.locale ?? '');
}

/** What the customers of each organization have chosen, in memory, as it is in the database. */
export class Learned {
  readonly isOn: boolean;
  readonly #options: LearnedOptions;
  readonly #held = new Map<number, Held>();
  #hasFollowed = false;

  constructor(options: LearnedOptions) {
    this.#options = options;
    this.isOn = options.isOn;
  }

  /** Null if nothing was learned that could move an answer. Never reads the database. */
  answersTo({ organizationKey, question, embedding }: Asking): LearnedAnswers | null {
    const held = this.#held.get(organizationKey);
    if (held === undefined) return null;
    // Cosines of two models cannot be compared.
    const isSameModel = embedding !== null && embedding.model.key === held.modelKey;
    const asked = {
      key: questionKey(question),
      terms: question.terms,
      limits: limitsOf(question),
      vector: isSameModel ? embedding.vector : null,
      nearness: toReferenceScale(embedding?.model.scale ?? REFERENCE_SCALE),
    };
    return held.model.answersTo(asked, this.#options.platform.now());
  }

  /** Drops what is in memory of an organization that was deleted. */
  forget(organizationKey: number): void {
    this.#held.delete(organizationKey);
  }

  /** For a command that opened the database just now: reads what was learned, unless it has been read. */
  async readOnce(): Promise<void> {
    if (!this.#hasFollowed) await this.follow();
  }

  /** Brings the memory up to date, in slices. One small read if nothing has changed. */
  async follow(): Promise<void> {
    if (!this.isOn) return;
    const { db, directory, embeddings } = this.#options;
    for (const state of await findLearningStates(db)) {
      const { organizationKey, generation } = state;
      const modelKey = embeddings.answeringKey(directory.vectorModelKey(organizationKey));
      const held = this.#held.get(organizationKey);
      const isSame = held?.generation === generation && held.modelKey === modelKey;
      if (isSame && held.revision === state.revision) continue;
      const next = isSame
        ? held
        : { model: new LearnedModel(), generation, modelKey, revision: -1 };
      await this.#read(state, next, await embeddings.modelOf(modelKey));
      next.model.seal();
      next.revision = state.revision;
      this.#held.set(organizationKey, next);
    }
    this.#hasFollowed = true;
  }

  /** Adds to the model what has changed since its revision. */
  async #read(
    { organizationKey }: LearningState,
    { model, revision }: Held,
    embeddingModel: EmbeddingModel | null,
  ): Promise<void> {
    const { db, platform } = this.#options;
    const language = learningLanguage(this.#options, organizationKey);
    // Before every row of the next revision.
    let after = { revision: revision + 0.5, questionKey: '', itemId: '' };
    for (;;) {
      const pairs = await findPairsAfter(db, organizationKey, { after, limit: SLICE });
      for (const { questionKey: key, itemId, ...tally } of pairs) model.putPair(key, itemId, tally);
      after = pairs.at(-1) ?? after;
      await platform.yield();
      if (pairs.length < SLICE) break;
    }
    let last = { revision: revision + 0.5, questionKey: '' };
    for (;;) {
      const page = { after: last, modelKey: embeddingModel?.key ?? null, limit: SLICE };
      const questions = await findQuestionsAfter(db, organizationKey, page);
      for (const { questionKey: key, question, vector } of questions) {
        const parsed = parseQuestion(question, language);
        model.putQuestion(key, {
          terms: new Set(parsed.terms),
          limits: limitsOf(parsed),
          vector: vector && readVector8(vector, embeddingModel!.dimensions),
        });
      }
      last = questions.at(-1) ?? last;
      await platform.yield();
      if (questions.length < SLICE) break;
    }
  }
}
