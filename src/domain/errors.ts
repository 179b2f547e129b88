/** Machine-readable reasons why a request failed. Each transport maps them to its own codes in one table. */
export type ErrorCode =
  | 'missing_parameter'
  | 'invalid_input'
  | 'cursor_expired'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'session_required'
  | 'session_not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'idempotency_key_reused'
  | 'too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable'
  | 'internal'
  | 'not_initialized'
  | 'already_running'
  | 'damaged';

/** One fault in an input: where it is and what is wrong. Never contains the caller's value. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** Of the record that it is in, where a body has several: its line or place, from 1, and its external id. */
  readonly line?: number;
  readonly externalId?: string;
}

export interface ErrorDetails {
  /** Every fault in the input, not only the first. */
  readonly issues?: readonly Issue[];
  /** Milliseconds to wait before trying again. */
  readonly retryAfterMs?: number;
  /** Methods that the path supports. */
  readonly allow?: readonly string[];
}

/** The only error class thrown on purpose. Any other error is a bug and is reported as `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  /** `message` is for the caller and may leave the process; `cause` is for the operator and never does. */
  constructor(code: ErrorCode, message: string, options: ErrorDetails & { cause?: unknown } = {}) {
    const { cause, ...details } = options;
    super(message, { cause });
    this.code = code;
    this.details = details;
  }
}
