import { createHash } from 'node:crypto';
import type { Grade } from '../../domain/grade.ts';
import { cleanLine } from '../../domain/text.ts';
import { Breaker, type CallEnd } from '../../models/breaker.ts';
import { GRADED_MAX, type Scorer, type ScorerCandidate } from '../../models/scorer.ts';
import type { Platform } from '../../platform.ts';

/** The most calls in flight; further searches go without the model. */
const CALLS_MAX = 4;

/** Cached grades, about 200 bytes each: 2,000 questions with all their candidates. */
const VERDICTS_MAX = 50_000;

/** `grades` belong to the first candidates, in order: at most 25; null if the model gave none. */
export type ScoringOutcome =
  | { readonly state: 'language_model'; readonly grades: readonly (Grade | null)[] }
  | { readonly state: 'timeout' | 'unavailable' };

/** A call in flight, shared by searches that ask the same meanwhile. */
interface Call {
  /** Grades by candidate key; null if the model failed. Never rejects. */
  readonly verdicts: Promise<Verdicts | null>;
  readonly end: (end: CallEnd) => void;
}

type Verdicts = ReadonlyMap<string, Grade | null>;

/**
 * The scorer in use, with a cache of its grades, a deadline, a limit on concurrent calls, and a
 * circuit breaker that counts a late answer as a failure.
 */
export class Scoring {
  readonly #platform: Platform;
  readonly #scorer: Scorer;
  readonly #budgetMs: number;
  readonly #breaker: Breaker;
  readonly #calls = new Map<string, Call>();
  /** Least recently used first. */
  readonly #verdicts = new Map<string, Grade | null>();
  readonly #closing = new AbortController();

  /** `budgetMs`: how long a search waits for grades. */
  constructor(options: { platform: Platform; scorer: Scorer; budgetMs: number }) {
    this.#platform = options.platform;
    this.#scorer = options.scorer;
    this.#budgetMs = options.budgetMs;
    this.#breaker = new Breaker(options.platform.monotonicMs);
  }

  /** Outcomes since the start. */
  readonly outcomes: Record<ScoringOutcome['state'], number> = {
    language_model: 0,
    timeout: 0,
    unavailable: 0,
  };

  /** Calls in flight. */
  get callCount(): number {
    return this.#calls.size;
  }

  /** Whether the breaker is open because the model failed too often. */
  get isResting(): boolean {
    return this.#breaker.restMs > 0;
  }

  /**
   * Grades the first 25 candidates, all or none, within the budget. The model is asked only about
   * those without a cached grade. Never throws: a search continues without grades.
   */
  async score(question: string, candidates: readonly ScorerCandidate[]): Promise<ScoringOutcome> {
    const outcome = await this.#score(question, candidates);
    this.outcomes[outcome.state] += 1;
    return outcome;
  }

  async #score(question: string, candidates: readonly ScorerCandidate[]): Promise<ScoringOutcome> {
    const asked = cleanLine(question).normalize('NFKC').toLowerCase();
    const first = candidates.slice(0, GRADED_MAX);
    const known = new Map<string, Grade | null>();
    const unknown = new Map<string, ScorerCandidate>();
    for (const candidate of first) {
      const verdict = this.#recall(asked, candidate.key);
      if (verdict === undefined) unknown.set(candidate.key, candidate);
      else known.set(candidate.key, verdict);
    }
    if (unknown.size > 0) {
      const verdicts = await this.#ask(asked, [...unknown.values()]);
      if (typeof verdicts === 'string') return { state: verdicts };
      for (const [key, verdict] of verdicts) known.set(key, verdict);
    }
    return { state: 'language_model', grades: first.map(({ key }) => known.get(key) ?? null) };
  }

  /** Aborts the calls in flight; further questions are not asked. */
  close(): void {
    this.#closing.abort();
  }

  async #ask(
    question: string,
    candidates: readonly ScorerCandidate[],
  ): Promise<Verdicts | 'timeout' | 'unavailable'> {
    const call = this.#callFor(question, candidates);
    if (typeof call === 'string') return call;
    const answered = new AbortController();
    const late = this.#platform
      .sleep(this.#budgetMs, answered.signal)
      .then(() => 'timeout' as const);
    const verdicts = await Promise.race([call.verdicts, late]);
    answered.abort();
    // The call continues and its answer is cached for the next caller.
    if (verdicts === 'timeout') call.end('failed');
    return verdicts ?? 'unavailable';
  }

  /** The call in flight that asks exactly this, or a new one. */
  #callFor(
    question: string,
    candidates: readonly ScorerCandidate[],
  ): Call | 'timeout' | 'unavailable' {
    const id = digest([question, ...candidates.map(({ key }) => key)]);
    const present = this.#calls.get(id);
    if (present !== undefined) return present;
    if (this.#closing.signal.aborted) return 'unavailable';
    const end = this.#breaker.enter();
    if (end === null) return 'unavailable';
    if (this.#calls.size >= CALLS_MAX) {
      end('abandoned');
      return 'timeout';
    }
    const verdicts = this.#judge(question, candidates, end).finally(() => this.#calls.delete(id));
    const call = { verdicts, end };
    this.#calls.set(id, call);
    return call;
  }

  async #judge(
    question: string,
    candidates: readonly ScorerCandidate[],
    end: (end: CallEnd) => void,
  ): Promise<Verdicts | null> {
    const startedAt = this.#platform.monotonicMs();
    try {
      const grades = await this.#scorer.grade(question, candidates, this.#closing.signal);
      end('answered');
      const tookMs = Math.round(this.#platform.monotonicMs() - startedAt);
      if (tookMs > this.#budgetMs) this.#platform.log('warn', 'scorer_late', { tookMs });
      const verdicts = new Map(candidates.map(({ key }, index) => [key, grades[index] ?? null]));
      for (const [key, verdict] of verdicts) this.#keep(question, key, verdict);
      return verdicts;
    } catch (error) {
      end(this.#closing.signal.aborted ? 'abandoned' : 'failed');
      const cause = String(error instanceof Error ? (error.cause ?? error) : error);
      if (!this.#closing.signal.aborted) this.#platform.log('warn', 'scorer_failed', { cause });
      return null;
    }
  }

  #recall(question: string, key: string): Grade | null | undefined {
    const id = this.#verdictId(question, key);
    const verdict = this.#verdicts.get(id);
    if (verdict === undefined) return undefined;
    this.#verdicts.delete(id);
    this.#verdicts.set(id, verdict);
    return verdict;
  }

  /** A missing grade is cached as well, because the model would omit it again. */
  #keep(question: string, key: string, verdict: Grade | null): void {
    this.#verdicts.set(this.#verdictId(question, key), verdict);
    if (this.#verdicts.size > VERDICTS_MAX) {
      this.#verdicts.delete(this.#verdicts.keys().next().value!);
    }
  }

  /** The scorer's tag names model and rubric. */
  #verdictId(question: string, key: string): string {
    return digest([this.#scorer.tag, question, key]);
  }
}

/** A key of fixed size, however long the question is. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
