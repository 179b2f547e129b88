import { NotFoundError } from 'elysia';
import Type from 'typebox';
import { AppError, type ErrorCode } from '../../domain/errors.ts';
import type { Platform } from '../../platform.ts';
import { type AnswerSet, arrivalOf, type FaultBody } from './visit.ts';

/** Statuses and titles. A new code does not compile until it has both here. */
const PROBLEMS: Record<ErrorCode, { status: number; title: string }> = {
  missing_parameter: { status: 400, title: 'Missing parameter' },
  invalid_input: { status: 400, title: 'Invalid input' },
  cursor_expired: { status: 400, title: 'Cursor expired' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  session_required: { status: 400, title: 'Session required' },
  session_not_found: { status: 404, title: 'Session not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key used before' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  rate_limited: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Service unavailable' },
  internal: { status: 500, title: 'Internal error' },
  not_initialized: { status: 503, title: 'Service unavailable' },
  already_running: { status: 503, title: 'Service unavailable' },
  damaged: { status: 503, title: 'Service unavailable' },
};

/** Problem details (RFC 9457), with `error` and `details` for clients that read those. */
export const Problem = Type.Object({
  type: Type.String({ description: 'urn:vitrine:problem:<code with hyphens>' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String(),
  error: Type.String({ description: 'The same as detail.' }),
  details: Type.Object({
    issues: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          message: Type.String(),
          line: Type.Optional(
            Type.Integer({
              description:
                'Of the record, where a body has several; in an array, its place from 1.',
            }),
          ),
          externalId: Type.Optional(Type.String({ description: 'The record’s.' })),
        }),
      ),
    ),
  }),
  requestId: Type.String(),
});

export const problemBody: FaultBody = ({ code, message, details: { issues } }, { requestId }) => {
  const { status, title } = PROBLEMS[code];
  const body = {
    type: `urn:vitrine:problem:${code.replaceAll('_', '-')}`,
    title,
    status,
    detail: message,
    code,
    error: message,
    details: issues === undefined ? {} : { issues },
    requestId,
  };
  return { type: 'application/problem+json; charset=utf-8', body: JSON.stringify(body) };
};

/**
 * The response body for any error. An error that is not an `AppError` is logged and replaced by a
 * fixed sentence.
 */
export async function tellFault(
  error: unknown,
  { request, set, platform }: { request: Request; set: AnswerSet; platform: Platform },
): Promise<string> {
  const { headers } = set;
  const { requestId, faultBody, challenge } = arrivalOf(request);
  const fault = asFault(error, requestId, platform);
  const { retryAfterMs, allow } = fault.details;
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterMs / 1000));
  if (allow !== undefined) headers['allow'] = allow.join(', ');
  if (fault.code === 'unauthorized' && challenge !== null) headers['www-authenticate'] = challenge;
  const { type, body } = await faultBody(fault, { request, requestId });
  headers['content-type'] = type;
  set.status = PROBLEMS[fault.code].status;
  return body;
}

/** Also for an address that an organization has turned off. */
export function noSuchAddress(): AppError {
  const message = 'There is no such address: GET /openapi.json lists those that there are.';
  return new AppError('not_found', message);
}

function asFault(error: unknown, requestId: string, platform: Platform): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof NotFoundError) return noSuchAddress();
  return asInternal(error, requestId, platform);
}

function asInternal(error: unknown, requestId: string, platform: Platform): AppError {
  platform.log('error', 'request_failed', {
    requestId,
    cause: error instanceof Error ? error.stack : String(error),
  });
  return new AppError(
    'internal',
    'Something went wrong on our side. Quote the request id when you report it.',
  );
}
