import { AppError } from '../domain/errors.ts';
import { Endpoint, type EndpointOptions, isRecord, StatusError } from './endpoint.ts';

/** What endpoints answer to a parameter they do not know. */
const REFUSALS: readonly number[] = [400, 422];

export interface Message {
  readonly role: 'system' | 'user';
  readonly content: string;
}

export interface ChatEndpointOptions extends Omit<EndpointOptions, 'path'> {
  readonly model: string;
  /** Ways to ask for the same, the strictest first; an endpoint that refuses one is asked the next. */
  readonly dialects: readonly Readonly<Record<string, unknown>>[];
  /** For one answer, with every way of asking it takes. */
  readonly timeoutMs: number;
  /** What a caller is told when there is no answer. */
  readonly failure: string;
}

/** A language model behind OpenAI's `/chat/completions`. */
export class ChatEndpoint {
  /** Names model and endpoint. */
  readonly tag: string;
  readonly #options: ChatEndpointOptions;
  readonly #endpoint: Endpoint;
  /** The last that the endpoint took. */
  #dialect: Readonly<Record<string, unknown>>;

  constructor(options: ChatEndpointOptions) {
    this.#options = options;
    this.#endpoint = new Endpoint({ ...options, path: '/chat/completions' });
    this.#dialect = options.dialects[0]!;
    this.tag = `${options.model}@${this.#endpoint.place}`;
  }

  /**
   * What `read` makes of the message that comes back. Whatever goes wrong, in `read` too, rejects
   * with `unavailable`, with the reason as its cause: never the key, nothing of the answer. Rejects
   * with the signal's reason when it aborts.
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

  /** Asks in the way that worked last, and in the others while the endpoint refuses. */
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

/** A message behind the thoughts that some models put before it. */
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
