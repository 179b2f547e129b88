/** Every way a request can fail, for programs. Each transport maps the codes in one table. */
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

/** One fault of an input: where, and what is wrong there. Never carries the caller's value. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface ErrorDetails {
  /** All faults of the input at once. */
  readonly issues?: readonly Issue[];
  /** Milliseconds after which trying again makes sense. */
  readonly retryAfterMs?: number;
  /** Methods that the path does answer. */
  readonly allow?: readonly string[];
}

/** The one error of the project: anything else that is thrown is a bug and leaves as `internal`. */
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
