import type { Answer, Connection } from './connection.ts';
import type { MessageId, Params } from './messages.ts';

/** The connections on which one client waits for answers, so that a later message can cancel a request. */
export class InFlight {
  readonly #connections = new Set<Connection>();

  /** Asks on a connection that cancellations reach meanwhile. */
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

/** The same for each session of this process, whose messages come in requests of their own. */
export class SessionsInFlight {
  readonly #ofSession = new Map<string, InFlight>();

  /** Runs `answer` with the requests of the session that are being answered. */
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
