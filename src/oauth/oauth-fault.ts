/** Error codes of RFC 6749, RFC 7591 and RFC 8707. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/**
 * A refusal in the protocol's own terms. `description` is ours, never contains a caller's value, and is
 * ASCII without quotation marks, as RFC 6749 demands.
 */
export interface OAuthFault {
  readonly error: OAuthErrorCode;
  readonly description: string;
}

/** What was read, or why it was refused. */
export type Reading<Value> = { readonly value: Value } | { readonly fault: OAuthFault };

export function refused(error: OAuthErrorCode, description: string): { fault: OAuthFault } {
  return { fault: { error, description } };
}
