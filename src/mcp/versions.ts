/** The revision that this service is built for, and the default for a client that names none. */
export const NATIVE_VERSION = '2025-03-26';

/** The first revision without a handshake: every request is separate and states its version. */
export const STATELESS_VERSION = '2026-07-28';

/** From this revision on, a model is told of its wrong arguments, so that it can correct them. */
export const CORRECTING_VERSION = '2025-11-25';

/** Revisions that begin with `initialize`, newest first. */
export const SESSION_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  NATIVE_VERSION,
  '2024-11-05',
];

/** All supported revisions, newest first. */
export const VERSIONS: readonly string[] = [STATELESS_VERSION, ...SESSION_VERSIONS];
