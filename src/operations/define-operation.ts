import type { Static, TObject, TSchema } from 'typebox';

/** The streams between a running operation and its caller. */
export interface Exchange {
  /**
   * Long input, such as the rows of a catalogue: blocks of whole JSON lines, each with its line
   * feed.
   */
  readonly lines: AsyncIterable<string>;
  /** Emits progress and long results to the caller. Resolves when the operation may continue. */
  emit(event: unknown): void | Promise<void>;
}

/** An exchange without input that discards progress. */
export const SILENT: Exchange = { lines: (async function* () {})(), emit: () => undefined };

/**
 * An operation for operators. A command runs it itself or asks the running service over its socket.
 */
export interface OperatorOperation<
  Input extends TObject = TObject,
  Output = unknown,
  Needs = never,
> {
  /** As in the socket's path and in messages: `key.rotate`. */
  readonly name: string;
  readonly input: Input;
  /** The schema of the result, for callers that display it. */
  readonly output?: TSchema;
  /** `services` is the slice that the operation needs. */
  run(services: Needs, input: Static<Input>, exchange: Exchange): Promise<Output>;
}

export function defineOperation<Input extends TObject, Output, Needs>(
  operation: OperatorOperation<Input, Output, Needs>,
): OperatorOperation<Input, Output, Needs> {
  return operation;
}
