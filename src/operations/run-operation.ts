import type { TObject } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { AppError } from '../domain/errors.ts';
import type { Exchange, OperatorOperation } from './define-operation.ts';

/** Validates the input and runs the operation. Throws `invalid_input` with every fault. */
export async function runOperation<Input extends TObject, Output, Needs>(
  services: Needs,
  operation: OperatorOperation<Input, Output, Needs>,
  input: unknown,
  exchange: Exchange,
): Promise<Output> {
  if (!Check(operation.input, input)) {
    const issues = [...Errors(operation.input, input)].map(({ instancePath, message }) => ({
      path: instancePath.slice(1),
      message,
    }));
    const faults = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new AppError('invalid_input', `Wrong input: ${faults}.`, { issues });
  }
  return operation.run(services, input, exchange);
}
