import type { Static, TObject } from 'typebox';
import { AppError } from '../domain/errors.ts';
import { createReader, type Reading } from '../schema/reader.ts';
import type { Exchange, OperatorOperation } from './define-operation.ts';

/** The reader of each operation's input, made when it is first used. */
const readers = new WeakMap<TObject, (input: unknown) => Reading<unknown>>();

/** Reads the input and runs the operation. Throws `invalid_input` with every fault. */
export async function runOperation<Input extends TObject, Output, Needs>(
  services: Needs,
  operation: OperatorOperation<Input, Output, Needs>,
  input: unknown,
  exchange: Exchange,
): Promise<Output> {
  return operation.run(services, readInput(operation, input), exchange);
}

/**
 * The input as the operation takes it, defaults filled in. Throws `invalid_input` with every fault.
 */
export function readInput<Input extends TObject>(
  { input: schema }: { readonly input: Input },
  given: unknown,
): Static<Input> {
  let read = readers.get(schema);
  if (read === undefined) {
    read = createReader(schema);
    readers.set(schema, read);
  }
  const reading = read(given);
  if ('value' in reading) return reading.value as Static<Input>;
  const { issues } = reading;
  const faults = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  throw new AppError('invalid_input', `Wrong input: ${faults}.`, { issues });
}
