import { dayOf } from '../../domain/hit.ts';
import { storedFactor } from '../../search/learning/decay.ts';
import { questionKey } from '../../search/learning/question-key.ts';
import { parseQuestion } from '../../search/query/parse-question.ts';
import { placeWeight } from '../../search/tuning/learning-weights.ts';
import { type ChosenSearch, saveChosenSearches } from '../../storage/chosen-searches.ts';
import {
  countChoicesOfDay,
  findLearnedTo,
  findLessons,
  findReplayStart,
  findSurplusPairs,
  forgetPairs,
  type LearnedQuestion,
  saveVoices,
  type Voice,
} from '../../storage/learned-voices.ts';
import { findOffering } from '../offerings/find-offering.ts';
import { LESSONS, type Lesson, lessonOf } from './choices.ts';
import { learningLanguage } from './learned.ts';
import type { LearningServices } from './learning-services.ts';
import { ASKED_BEFORE_MS, type Ask, RecentAsks } from './recent-asks.ts';

/** Hits looked at at once, which takes a few milliseconds. */
const SPAN = 1000;

/** Those of them that are read at once. */
const SLICE = 200;

/** Lessons after which requests are answered in between: a choice is looked up in the database. */
const LESSONS_AT_ONCE = 20;

/** The most hits that are read again after a start, to know what was asked before it. */
const REPLAYED_MAX = 20_000;

/** The most choices of a client in a day that count. */
const CHOICES_OF_DAY_MAX = 30;

/** The most pairs of a question and an item that an organization keeps. */
export const PAIRS_MAX = 10_000;

/** Pairs forgotten at a time: every instance then reads anew what is left. */
const FORGOTTEN_AT_ONCE = 200;

/**
 * Attributes choices to the questions before them. Only one instance runs it at a time. Safe to kill
 * at any moment: the place up to which it has read is kept together with what it has learned.
 */
export class Learner {
  readonly #services: LearningServices;
  readonly #asks = new RecentAsks();
  /** The last hit that was read; it may lie before what was learned from. */
  #read = 0;
  #learnedTo: number | null = null;
  /** Organizations that have learned something since the last look at their number of pairs. */
  readonly #grown = new Set<number>();

  constructor(services: LearningServices) {
    this.#services = services;
  }

  /** Learns from the next hits. Returns whether there may be more to do. */
  async learnNext(): Promise<boolean> {
    const { db, learned } = this.#services;
    if (!learned.isOn) return false;
    await this.#takeUp();
    const slice = { after: this.#read, span: SPAN, limit: SLICE };
    const { hits, last, hasMore } = await findLessons(db, LESSONS, slice);
    const lessons = hits
      .flatMap((hit) => lessonOf(hit) ?? [])
      // The service's own hits are recorded a moment later than those of clients.
      .sort((one, other) => one.atMs - other.atMs || one.hitKey - other.hitKey);
    const heard = new Heard(this.#services);
    for (const [index, lesson] of lessons.entries()) {
      await this.#hear(lesson, heard);
      if (index % LESSONS_AT_ONCE === LESSONS_AT_ONCE - 1) await this.#services.platform.yield();
    }
    this.#read = last;
    if (last > this.#learnedTo!) {
      const { voices, questions, searches } = heard;
      await db.stage([
        ...saveChosenSearches(searches),
        ...saveVoices(db, voices, { questions, learnedTo: last }),
      ]);
      this.#learnedTo = last;
      for (const { organizationKey } of voices) this.#grown.add(organizationKey);
    }
    return hasMore || this.#prune();
  }

  /** Continues where this instance, or another one, has stopped. */
  async #takeUp(): Promise<void> {
    const { db } = this.#services;
    const learnedTo = await findLearnedTo(db);
    if (learnedTo === this.#learnedTo) return;
    this.#asks.clear();
    const replay = { spanMs: ASKED_BEFORE_MS, limit: REPLAYED_MAX };
    this.#read = await findReplayStart(db, learnedTo, replay);
    this.#learnedTo = learnedTo;
  }

  async #hear(lesson: Lesson, heard: Heard): Promise<void> {
    const { asked, visitor, organizationKey, atMs, hitKey } = lesson;
    const isReplayed = lesson.hitKey <= this.#learnedTo!;
    if (asked !== null) {
      if (visitor !== null)
        this.#asks.remember(`${organizationKey} ${visitor}`, { ...asked, atMs, hitKey });
      if (!isReplayed) heard.add(lesson, { question: asked.question, itemId: '', weight: 1 });
    }
    if (lesson.chosen !== null && !isReplayed) await this.#hearChoice(lesson, heard);
  }

  async #hearChoice(lesson: Lesson, heard: Heard): Promise<void> {
    const { chosen, client, visitor, organizationKey, atMs } = lesson;
    const itemId = await this.#itemOf(organizationKey, chosen!.offering);
    if (itemId === null) return;
    const asker = visitor === null ? null : `${organizationKey} ${visitor}`;
    const ask = asker === null ? null : this.#asks.before(asker, { atMs, itemId });
    const question = chosen!.question ?? ask?.question ?? null;
    if (ask !== null && ask.question === question) heard.addSearch(lesson, ask);
    if (client === null || !(await this.#isWithinDay(lesson, heard))) return;
    const weight = question === ask?.question ? placeWeight(placeIn(ask, itemId)) : 1;
    heard.add(lesson, { question: null, itemId: '', weight: 1 });
    heard.add(lesson, { question: null, itemId, weight });
    if (question === null) return;
    heard.add(lesson, { question, itemId: '', weight: 1 });
    heard.add(lesson, { question, itemId, weight });
  }

  /** Whether the client may be heard once more on that day. */
  async #isWithinDay({ organizationKey, client, atMs }: Lesson, heard: Heard): Promise<boolean> {
    const { db } = this.#services;
    const day = dayOf(atMs);
    const key = `${organizationKey} ${client} ${day}`;
    const count =
      heard.choicesOfDay.get(key) ??
      (await countChoicesOfDay(db, organizationKey, { client: client!, day }));
    heard.choicesOfDay.set(key, count + 1);
    return count < CHOICES_OF_DAY_MAX;
  }

  /** The id of the offering; null if there is none now. */
  async #itemOf(organizationKey: number, reference: string): Promise<string | null> {
    const found = await findOffering(this.#services, organizationKey, reference);
    return found?.id ?? null;
  }

  /** Forgets the least useful pairs of organizations that have too many. Returns whether there may be more. */
  async #prune(): Promise<boolean> {
    const { db } = this.#services;
    const [organizationKey] = this.#grown;
    if (organizationKey === undefined) return false;
    const limits = { max: PAIRS_MAX, limit: FORGOTTEN_AT_ONCE };
    const surplus = await findSurplusPairs(db, organizationKey, limits);
    if (surplus.length === 0) this.#grown.delete(organizationKey);
    else await db.stage(forgetPairs(surplus));
    return this.#grown.size > 0;
  }
}

/** What a slice of hits says. */
class Heard {
  readonly voices: Voice[] = [];
  readonly questions: LearnedQuestion[] = [];
  /** Reports count them whoever the client is, and however often it chooses. */
  readonly searches: ChosenSearch[] = [];
  /** Choices by organization, client and day. */
  readonly choicesOfDay = new Map<string, number>();
  readonly #services: Pick<LearningServices, 'directory'>;

  constructor(services: Pick<LearningServices, 'directory'>) {
    this.#services = services;
  }

  addSearch({ hitKey, organizationKey, chosen }: Lesson, ask: Ask): void {
    const { hitKey: searchHitKey, question, day, agentKind, access } = ask;
    this.searches.push({
      ...{ searchHitKey, choiceHitKey: hitKey, organizationKey },
      ...{ day, question, agentKind, access, isPurchase: chosen!.isPurchase },
    });
  }

  /** `question` null: whatever was asked. A client that is not known has no voice. */
  add(
    { organizationKey, client, atMs, hitKey }: Lesson,
    { question, itemId, weight }: { question: string | null; itemId: string; weight: number },
  ): void {
    if (client === null) return;
    const language = learningLanguage(this.#services, organizationKey);
    const key = question === null ? '' : questionKey(parseQuestion(question, language));
    if (question !== null && key === '') return;
    this.voices.push({
      ...{ organizationKey, questionKey: key, itemId, client, hitKey },
      day: dayOf(atMs),
      weight: weight * storedFactor(atMs),
    });
    if (question !== null && itemId !== '')
      this.questions.push({ organizationKey, questionKey: key, question });
  }
}

/** From 1; 1 if it is not known. */
function placeIn(ask: Ask | null | undefined, itemId: string): number {
  return Math.max(0, ask?.shown?.indexOf(itemId) ?? 0) + 1;
}
