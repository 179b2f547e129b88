import Type from 'typebox';
import { questionKey } from '../../search/learning/question-key.ts';
import { parseQuestion } from '../../search/query/parse-question.ts';
import { CLIENTS_MIN } from '../../search/tuning/learning-weights.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { findItemsById } from '../../storage/catalog/offerings.ts';
import { findBestPairs, summarizePairs } from '../../storage/learned-pairs.ts';
import { countHitsAfter, findLearnedTo, forgetVoices } from '../../storage/learned-voices.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import { learningLanguage } from './learned.ts';
import { PAIRS_MAX } from './learner.ts';
import type { LearningServices } from './learning-services.ts';

const Organization = Type.Optional(Type.String());

/** Voices deleted in one transaction. */
const DELETED_AT_ONCE = 500;

const SHOWN_MAX = 1000;

/** How far an organization's learning has come. */
export interface LearningStatus {
  readonly isOn: boolean;
  /** Questions for which an offering was chosen. */
  readonly questions: number;
  /** Pairs of a question and an offering that was chosen for it. */
  readonly pairs: number;
  readonly pairsMax: number;
  /** Pairs that were chosen by enough clients to move an answer. */
  readonly movingPairs: number;
  /** Clients that chose anything. */
  readonly clients: number;
  /** Hits of every organization that are still to be learned from. */
  readonly waitingHits: number;
}

export const showLearningStatus = defineOperation({
  name: 'learning.status',
  input: Type.Object({ organization: Organization }),
  async run({ db, ...services }: LearningServices, input): Promise<LearningStatus> {
    const { key } = resolveOrganization({ db, ...services }, input.organization);
    return {
      isOn: services.learned.isOn,
      ...(await summarizePairs(db, key, CLIENTS_MIN)),
      pairsMax: PAIRS_MAX,
      waitingHits: await countHitsAfter(db, await findLearnedTo(db)),
    };
  },
});

/** An offering that customers chose, with the words that its explanation counts. */
export interface ShownChoice {
  /** As one of those who asked it put it; null: whatever was asked. */
  readonly question: string | null;
  /** Null if the catalogue no longer has the offering. */
  readonly externalId: string | null;
  readonly name: string | null;
  readonly chosenBy: number;
  readonly of: number;
  /** Whether enough clients chose it to move an answer. */
  readonly counts: boolean;
}

export const showLearning = defineOperation({
  name: 'learning.show',
  input: Type.Object({
    organization: Organization,
    question: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    limit: Type.Integer({ minimum: 1, maximum: SHOWN_MAX }),
  }),
  /** What was chosen most, for one question or for any. */
  async run(services: LearningServices, input): Promise<ShownChoice[]> {
    const { db } = services;
    const { key } = resolveOrganization(services, input.organization);
    const asked =
      input.question === undefined
        ? null
        : questionKey(parseQuestion(input.question, learningLanguage(services, key)));
    const pairs = await findBestPairs(db, key, { questionKey: asked, limit: input.limit });
    const items = await findItemsById(db, key, [...new Set(pairs.map(({ itemId }) => itemId))]);
    return pairs.map(({ question, itemId, chosenBy, of }) => ({
      question,
      externalId: items.get(itemId)?.externalId ?? null,
      name: items.get(itemId)?.name ?? null,
      chosenBy,
      of: Math.max(of, chosenBy),
      counts: chosenBy >= CLIENTS_MIN,
    }));
  },
});

export const resetLearning = defineOperation({
  name: 'learning.reset',
  input: Type.Object({ organization: Organization }),
  /** Forgets what was learned, for good: hits from before are not learned from again. */
  async run(services: LearningServices, input): Promise<{ readonly forgotten: number }> {
    const { db, platform, learned } = services;
    const { key, id } = resolveOrganization(services, input.organization);
    const { pairs: forgotten } = await summarizePairs(db, key, CLIENTS_MIN);
    while ((await forgetVoices(db, { organizationKey: key, beforeDay: null }, DELETED_AT_ONCE)) > 0)
      await platform.yield();
    await db.write([
      insertAuditEntry(db, {
        at: platform.now(),
        organizationId: id,
        event: 'learning.reset',
        details: { forgotten },
      }),
    ]);
    await learned.follow();
    return { forgotten };
  },
});
