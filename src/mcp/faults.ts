import { AppError, type ErrorCode } from '../domain/errors.ts';
import type { Conversation } from './conversation.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, type RpcError } from './messages.ts';

const OTHER = -32000;

/** JSON-RPC error codes. A new code does not compile until it has a number here. */
const RPC_CODES: Record<ErrorCode, number> = {
  missing_parameter: INVALID_PARAMS,
  invalid_input: INVALID_PARAMS,
  cursor_expired: INVALID_PARAMS,
  session_required: -32600,
  session_not_found: -32001,
  unauthorized: -32003,
  forbidden: -32004,
  rate_limited: -32005,
  not_found: OTHER,
  method_not_allowed: OTHER,
  conflict: OTHER,
  idempotency_key_reused: OTHER,
  too_large: OTHER,
  unsupported_media_type: OTHER,
  unavailable: OTHER,
  internal: INTERNAL_ERROR,
  not_initialized: OTHER,
  already_running: OTHER,
  damaged: OTHER,
};

/** An `AppError` as a JSON-RPC error. */
export function rpcError({ code, message, details }: AppError): RpcError {
  const { issues, retryAfterMs } = details;
  const data = {
    code,
    ...(issues === undefined ? {} : { issues }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return { code: RPC_CODES[code], message, data };
}

/**
 * The JSON-RPC error for anything thrown during a request. An error that is not an `AppError` is
 * logged and replaced by a fixed sentence.
 */
export function thrownError(error: unknown, { services, requestId }: Conversation): RpcError {
  if (error instanceof AppError) return rpcError(error);
  const cause = error instanceof Error ? error.stack : String(error);
  services.platform.log('error', 'request_failed', { requestId, cause });
  const message = 'Something went wrong on our side. Quote the request id when you report it.';
  return rpcError(new AppError('internal', message));
}
