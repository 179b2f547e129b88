import type { Static, TObject, TSchema } from 'typebox';

/** What passes between an operation and whoever runs it while it runs. */
export interface Exchange {
  /** What an operation with a long input reads, such as the rows of a catalogue: blocks of whole JSON lines, each with its line feed. */
  readonly lines: AsyncIterable<string>;
  /** Progress and long results, for whoever waits. Resolves when it may be gone on with. */
  emit(event: unknown): void | Promise<void>;
}

/** Of an operation that reads nothing and tells nobody how far it is. */
export const SILENT: Exchange = { lines: (async function* () {})(), emit: () => undefined };

/** Something an operator can have done: by a command on its own, or by the running service over its socket. */
export interface OperatorOperation<
  Input extends TObject = TObject,
  Output = unknown,
  Needs = never,
> {
  /** As in the socket's path and in messages: `key.rotate`. */
  readonly name: string;
  readonly input: Input;
  /** What it results in, for whoever shows it. */
  readonly output?: TSchema;
  /** `services` is the slice that the operation needs. */
  run(services: Needs, input: Static<Input>, exchange: Exchange): Promise<Output>;
}

export function defineOperation<Input extends TObject, Output, Needs>(
  operation: OperatorOperation<Input, Output, Needs>,
): OperatorOperation<Input, Output, Needs> {
  return operation;
}
