import { expect, test } from 'bun:test';
import { AppError } from '../../src/domain/errors.ts';

test('the cause is separate from the message, which may leave the process', () => {
  const cause = new Error('disk /dev/sda1');
  const error = new AppError('unavailable', 'Come back later.', { retryAfterMs: 5000, cause });
  expect(error.details).toEqual({ retryAfterMs: 5000 });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify([error.code, error.message, error.details])).not.toContain('sda1');
});
