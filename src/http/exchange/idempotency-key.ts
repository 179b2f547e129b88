import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { MESSAGE } from '../../schema/keywords.ts';
import { createReader } from '../../schema/reader.ts';

const KEY_MAX = 255;

const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: KEY_MAX,
  examples: ['order-4711'],
  [MESSAGE]: `must be 1 to ${KEY_MAX} characters`,
});

/** The request headers of a route whose requests can be repeated safely. */
export const REPEATABLE = Type.Object({ 'Idempotency-Key': Type.Optional(IdempotencyKey) });

const readKey = createReader(IdempotencyKey);

/** The request's Idempotency-Key; null if it has none. Throws `invalid_input`. */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  if (key === null) return null;
  const reading = readKey(key);
  if ('value' in reading) return reading.value;
  const [{ message }] = reading.issues;
  throw new AppError('invalid_input', `The header Idempotency-Key ${message}.`, {
    issues: [{ path: 'Idempotency-Key', message }],
  });
}
