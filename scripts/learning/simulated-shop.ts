import { condensedNdcg, type Grades, ndcg } from '../../src/cli/eval/relevance-metrics.ts';
import { readConfig } from '../../src/config.ts';
import { type Hit, toHit } from '../../src/domain/hit.ts';
import { importRules } from '../../src/operations/curation/change-rules.ts';
import { SILENT } from '../../src/operations/define-operation.ts';
import { embedNextQuestions } from '../../src/operations/learning/embed-next-questions.ts';
import { Learner } from '../../src/operations/learning/learner.ts';
import { resetLearning } from '../../src/operations/learning/operate-learning.ts';
import { type SearchAnswer, searchCatalog } from '../../src/operations/search/search-catalog.ts';
import type { SearchServices } from '../../src/operations/search/search-services.ts';
import { type Platform, systemPlatform } from '../../src/platform.ts';
import { type OpenServices, openServices } from '../../src/services.ts';
import { insertHits } from '../../src/storage/hits.ts';
import { saveQuestionVectors } from '../../src/storage/learned-pairs.ts';

export const CUT = 10;
/** Results that are read to leave out those that nobody has judged. */
const MEASURED = 100;

/** Sessions of each question in a round, after which what was learned changes the next answers. */
export const SESSIONS = 20;
export const ROUNDS = 5;

/** The probability that a result of each grade is clicked if it is looked at. The first is noise. */
const CLICKED = [0.1, 0.25, 0.5, 0.8];

const PERSON = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15';
const HOUR_MS = 3_600_000;
const PATIENT_MS = 60_000;

export const LEARNED_PAIRS = 10_000;
export const RULES = 500;
export const TIMED_ROUNDS = 30;

const never = new AbortController().signal;

export interface Judged {
  readonly text: string;
  readonly grades: Grades;
}

export interface Attack {
  /** Of the sessions that ask the attacked questions. */
  readonly share: number;
  /** Each session from a network of its own; else all from one. */
  readonly isSpread: boolean;
  /** By question: the id of the result that the attacker wants to lift. */
  readonly targets: ReadonlyMap<Judged, string>;
}

/** NDCG@10 of one question. */
export interface Figure {
  readonly ndcg: number;
  /** Without the results that nobody has judged. */
  readonly condensed: number;
}

/** A shop, its customers, and those who would cheat it. */
export class SimulatedShop {
  readonly #services: OpenServices;
  readonly #organizationKey: number;
  readonly #learner: Learner;
  readonly #random = pseudoRandom(7);
  #nowMs: number;

  constructor(services: OpenServices) {
    this.#services = services;
    this.#organizationKey = services.directory.organizations()[0]!.key;
    this.#learner = new Learner(services);
    this.#nowMs = services.platform.now() - 24 * HOUR_MS;
  }

  async forget(): Promise<void> {
    await this.#learn();
    await resetLearning.run(this.#services, {}, SILENT);
  }

  ask(question: string, limit = 20): Promise<SearchAnswer> {
    return this.#search(this.#services, question, limit);
  }

  #search(services: SearchServices, question: string, limit: number): Promise<SearchAnswer> {
    return searchCatalog(services, {
      ...{ organizationKey: this.#organizationKey, shops: null, question },
      ...{ productsOnly: true, skipScoring: false, offset: 0, limit },
    });
  }

  async measure(judged: readonly Judged[]): Promise<Figure[]> {
    const figures: Figure[] = [];
    for (const { text, grades } of judged) {
      const { results } = await this.ask(text, MEASURED);
      const ids = results.map(({ stored }) => stored.item.externalId);
      figures.push({ ndcg: ndcg(ids, grades, CUT), condensed: condensedNdcg(ids, grades, CUT) });
    }
    return figures;
  }

  /** The last wrong result of the first page; null if all are right. */
  async findTarget({ text, grades }: Judged): Promise<string | null> {
    const { results } = await this.ask(text);
    const wrong = results
      .slice(0, CUT)
      .findLast(({ stored }) => (grades.get(stored.item.externalId) ?? 0) === 0);
    return wrong?.stored.id ?? null;
  }

  async placesOf(targets: Attack['targets']): Promise<number[]> {
    const places: number[] = [];
    for (const [{ text }, target] of targets) {
      const { results } = await this.ask(text);
      const place = results.findIndex(({ stored }) => stored.id === target);
      places.push(place < 0 ? results.length + 1 : place + 1);
    }
    return places;
  }

  /** Lets customers, and an attacker, ask the questions and choose. */
  async serve(judged: readonly Judged[], attack: Attack | null): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      for (const question of judged) {
        const { results } = await this.ask(question.text);
        const shown = results.slice(0, CUT);
        const ids = shown.map(({ stored }) => stored.id);
        const grades = shown.map(({ stored }) => question.grades.get(stored.item.externalId) ?? 0);
        for (let session = 0; session < SESSIONS; session++) {
          const clicked = ids.filter(
            (_, at) => this.#random() < (1 / (at + 1)) * CLICKED[grades[at]!]!,
          );
          await this.#visit(question.text, { shown: ids, clicked, network: this.#anyNetwork() });
        }
        const target = attack?.targets.get(question);
        if (attack !== null && target !== undefined) {
          const sessions = (SESSIONS * attack.share) / (1 - attack.share);
          for (let left = sessions; left > this.#random(); left--) {
            const network = attack.isSpread ? this.#anyNetwork() : '198.51.100.7';
            await this.#visit(question.text, { shown: ids, clicked: [target], network });
          }
        }
      }
      await this.#learn();
    }
  }

  /** Milliseconds of a search in the fastest of several rounds, which take turns. */
  async time(judged: readonly Judged[]): Promise<Record<'none' | 'pairs' | 'both', number>> {
    const { platform } = this.#services;
    const noRules = { of: async () => null } as unknown as SearchServices['curations'];
    const unlearned = { answersTo: () => null } as unknown as SearchServices['learned'];
    const variants = {
      none: { ...this.#services, curations: noRules, learned: unlearned },
      pairs: { ...this.#services, curations: noRules },
      both: this.#services,
    };
    const fastest = { none: Infinity, pairs: Infinity, both: Infinity };
    for (let round = 0; round < TIMED_ROUNDS; round++) {
      for (const name of ['none', 'pairs', 'both'] as const) {
        const startedMs = platform.monotonicMs();
        for (const { text } of judged) await this.#search(variants[name], text, 20);
        const ms = (platform.monotonicMs() - startedMs) / judged.length;
        fastest[name] = Math.min(fastest[name], ms);
      }
    }
    return fastest;
  }

  /** As many pairs as an organization keeps, a quarter of them of the judged questions. */
  async fill(judged: readonly Judged[]): Promise<void> {
    const { db, embeddings, learned } = this.#services;
    for (const { text } of judged.slice(0, 50)) {
      const { results } = await this.ask(text);
      const ids = results.map(({ stored }) => stored.id);
      for (let client = 0; client < 3; client++)
        await this.#visit(text, { shown: ids, clicked: ids, network: `10.9.${client}.1` });
    }
    await this.#learn();
    const { key: modelKey, dimensions } = embeddings.model!;
    const questions = Array.from({ length: LEARNED_PAIRS / 4 }, (_, index) => ({
      ...{ organizationKey: this.#organizationKey, questionKey: `made up ${index}` },
      question: `made up ${index}`,
    }));
    await db.write([
      {
        sql: `INSERT INTO learned_questions (organization_key, question_key, question, revision)
              SELECT ?, value ->> 'questionKey', value ->> 'question', 0 FROM json_each(?)`,
        args: [this.#organizationKey, JSON.stringify(questions)],
      },
      {
        sql: `INSERT INTO learned_pairs (organization_key, question_key, item_id, voices, weight, revision)
              SELECT ?, j.value ->> 'questionKey', 'item ' || n.value, 5, 5, 1 << 40
              FROM json_each(?) j JOIN json_each('[1,2,3,4]') n`,
        args: [this.#organizationKey, JSON.stringify(questions)],
      },
    ]);
    for (let start = 0; start < questions.length; start += 100) {
      const batch = questions.slice(start, start + 100);
      const vectors = batch.map(() => Float32Array.from({ length: dimensions }, this.#random));
      await db.write(saveQuestionVectors(modelKey, batch, vectors));
    }
    await learned.follow();
  }

  async addRules(): Promise<void> {
    const rules = Array.from({ length: RULES }, (_, index) =>
      index % 2 === 0
        ? { kind: 'synonym', words: [`word${index}`, `other${index}`] }
        : { kind: 'boost', by: 'vendor', value: `vendor ${index}`, factor: 1.1 },
    );
    await importRules.run(this.#services, { rules }, SILENT);
  }

  async #visit(
    question: string,
    visit: { shown: readonly string[]; clicked: readonly string[]; network: string },
  ): Promise<void> {
    const { shown, clicked, network: clientIp } = visit;
    const asked = this.#hit('search', clientIp, { question, shown });
    const choices = clicked.map((offeringId) => this.#hit('link_click', clientIp, { offeringId }));
    await this.#services.db.stage([...insertHits([asked, ...choices])]);
  }

  #hit(
    classification: string,
    clientIp: string,
    observed: { question?: string; shown?: readonly string[]; offeringId?: string },
  ): Hit {
    this.#nowMs += 10;
    const nothing = { method: null, path: null, url: null, botScore: null, verifiedBot: null };
    return toHit(
      {
        ...{ ...nothing, eventDate: new Date(this.#nowMs).toISOString(), classification },
        ...{ userAgent: PERSON, clientIp, headers: null, cf: null },
      },
      {
        ...{ id: this.#services.platform.newId(), organizationKey: this.#organizationKey },
        ...{ source: 'service', access: 'public', createdAt: this.#nowMs, eventMs: this.#nowMs },
      },
      {
        ...{ tool: null, question: null, resultCount: null, isDoubtful: null },
        ...{ offeringId: null, latencyMs: null, ...observed },
      },
    );
  }

  #anyNetwork(): string {
    const part = () => Math.floor(this.#random() * 256);
    return `10.${part()}.${part()}.1`;
  }

  async #learn(): Promise<void> {
    while (await this.#learner.learnNext());
    while (await embedNextQuestions(this.#services, never));
    await this.#services.learned.follow();
  }
}

export async function openQuietly(dataFolder: string): Promise<OpenServices> {
  const sources = { dataFolder, flags: {}, environment: {}, file: {} };
  const config = { ...readConfig(sources), embedderBudgetMs: PATIENT_MS };
  const platform: Platform = systemPlatform('error');
  const services = await openServices({ config, platform, create: false });
  await services.embeddings.load();
  for (const { key } of services.directory.organizations()) services.indexes.find(key);
  while (await services.indexes.loadNext(never));
  return services;
}

/** Numbers from 0 to 1 that are the same in every run. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
