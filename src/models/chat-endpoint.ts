import { AppError } from '../domain/errors.ts';
import { Endpoint, type EndpointOptions, isRecord, StatusError } from './endpoint.ts';

/** Statuses with which endpoints refuse an unknown parameter. */
const REFUSALS: readonly number[] = [400, 422];

export interface Message {
  readonly role: 'system' | 'user';
  readonly content: string;
}

export interface ChatEndpointOptions extends Omit<EndpointOptions, 'path'> {
  readonly model: string;
  /** Variants of the request parameters, strictest first; the next is tried if the endpoint refuses one. */
  readonly dialects: readonly Readonly<Record<string, unknown>>[];
  /** For one answer, all dialects tried included. */
  readonly timeoutMs: number;
  /** The message of the error when there is no answer. */
  readonly failure: string;
}

/** A language model behind OpenAI's `/chat/completions`. */
export class ChatEndpoint {
  /** Names model and endpoint. */
  readonly tag: string;
  readonly #options: ChatEndpointOptions;
  readonly #endpoint: Endpoint;
  /** The last dialect that the endpoint accepted. */
  #dialect: Readonly<Record<string, unknown>>;

  constructor(options: ChatEndpointOptions) {
    this.#options = options;
    this.#endpoint = new Endpoint({ ...options, path: '/chat/completions' });
    this.#dialect = options.dialects[0]!;
    this.tag = `${options.model}@${this.#endpoint.place}`;
  }

  /**
   * Returns what `read` makes of the model's message. Any failure, also in `read`, rejects with
   * `unavailable`; its cause contains neither the key nor any part of the answer. Rejects with the
   * signal's reason if `signal` aborts.
   */
  async ask<Result>(
    messages: readonly Message[],
    signal: AbortSignal,
    read: (content: string) => Result,
  ): Promise<Result> {
    const { timeoutMs, failure } = this.#options;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      return read(contentOf(await this.#post(messages, patience)));
    } catch (error) {
      signal.throwIfAborted();
      throw new AppError('unavailable', failure, { cause: this.#endpoint.reason(error) });
    }
  }

  /** Tries the dialect that worked last, then the others while the endpoint refuses. */
  async #post(messages: readonly Message[], signal: AbortSignal): Promise<unknown> {
    const { model, dialects } = this.#options;
    let refusal: unknown;
    for (const dialect of new Set([this.#dialect, ...dialects])) {
      try {
        const answer = await this.#endpoint.post({ model, messages, ...dialect }, signal);
        this.#dialect = dialect;
        return answer;
      } catch (error) {
        if (!(error instanceof StatusError && REFUSALS.includes(error.status))) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }
}

/** Removes the reasoning that some models put before their message. */
export function withoutThoughts(content: string): string {
  const end = content.lastIndexOf(THOUGHTS_END);
  return end < 0 ? content : content.slice(end + THOUGHTS_END.length);
}

const THOUGHTS_END = '</think>';

function contentOf(answer: unknown): string {
  const choices = isRecord(answer) ? answer.choices : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isRecord(choice) ? choice.message : undefined;
  const content = isRecord(message) ? message.content : undefined;
  if (typeof content !== 'string') throw new Error('no message in the answer');
  return content;
}
