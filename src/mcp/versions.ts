/** The revision that this service is made for, and the answer to an unknown or absent one. */
const NATIVE_VERSION = '2025-03-26';

/** The first revision without a handshake: every request says its version and comes alone. */
export const STATELESS_VERSION = '2026-07-28';

/** Revisions that begin with `initialize`, newest first. */
const SESSION_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  NATIVE_VERSION,
  '2024-11-05',
];

/** Every revision that is answered, newest first. */
export const VERSIONS: readonly string[] = [STATELESS_VERSION, ...SESSION_VERSIONS];

/** What `initialize` answers: the revision that was asked for, if it has one, else the native one. */
export function negotiateVersion(wanted: string | undefined): string {
  return wanted !== undefined && SESSION_VERSIONS.includes(wanted) ? wanted : NATIVE_VERSION;
}
