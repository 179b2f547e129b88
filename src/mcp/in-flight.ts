import type { Answer, Connection } from './connection.ts';
import type { MessageId, Params } from './messages.ts';

/**
 * The connections on which one client waits for responses, so that a later message can cancel a
 * request.
 */
export class InFlight {
  readonly #connections = new Set<Connection>();

  /** Sends a request on a connection and lets cancellations reach it meanwhile. */
  async ask(
    connection: Connection,
    { id, method, params }: { id: MessageId; method: string; params: Params },
  ): Promise<Answer> {
    this.#connections.add(connection);
    const answer = await connection.ask(id, method, params);
    this.#connections.delete(connection);
    return answer;
  }

  cancel(clientId: MessageId): void {
    for (const connection of this.#connections) connection.cancel(clientId);
  }

  /** Whether nothing is being answered. */
  get isIdle(): boolean {
    return this.#connections.size === 0;
  }
}

/**
 * Requests in flight by session, because each message of a session arrives in its own HTTP request.
 */
export class SessionsInFlight {
  readonly #ofSession = new Map<string, InFlight>();

  /** Runs `answer` with the session's requests in flight. */
  async during<Result>(
    sessionId: string,
    answer: (inFlight: InFlight) => Promise<Result>,
  ): Promise<Result> {
    const inFlight = this.#ofSession.get(sessionId) ?? new InFlight();
    this.#ofSession.set(sessionId, inFlight);
    const result = await answer(inFlight);
    if (inFlight.isIdle) this.#ofSession.delete(sessionId);
    return result;
  }
}
