import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../../config.ts';
import { AppError, type ErrorCode } from '../../domain/errors.ts';

/** Exit codes, from sysexits.h where one fits. The type makes the table complete. */
export const EXIT_CODES: Record<ErrorCode, number> = {
  missing_parameter: 64,
  invalid_input: 64,
  cursor_expired: 64,
  too_large: 65,
  unsupported_media_type: 65,
  not_found: 66,
  session_required: 64,
  session_not_found: 66,
  unavailable: 69,
  rate_limited: 69,
  internal: 70,
  conflict: 73,
  idempotency_key_reused: 64,
  damaged: 74,
  already_running: 75,
  unauthorized: 77,
  forbidden: 77,
  method_not_allowed: 64,
  not_initialized: 78,
};

export const BAD_CONFIGURATION = 78;
const INTERNAL = 70;

/** What went wrong: one line for a person and an exit code for a program. */
export function describeFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof AppError)
    return { message: error.message, exitCode: EXIT_CODES[error.code] };
  if (error instanceof ConfigError) return { message: error.message, exitCode: BAD_CONFIGURATION };
  if (isAddressInUse(error))
    return {
      message:
        'Another program is listening on that address: choose another with --listen or --ops-listen.',
      exitCode: EXIT_CODES.unavailable,
    };
  if (isForbidden(error)) {
    const { path } = error as { path?: string };
    return { message: permissionDenied(path ?? null), exitCode: EXIT_CODES.forbidden };
  }
  if (isDiskFull(error)) {
    const { dest, path } = error as { dest?: string; path?: string };
    const place = dest ?? path;
    return {
      message: `No space is left on the disk${place === undefined ? '' : `: ${place}`}. Make room and run it again.`,
      exitCode: EXIT_CODES.unavailable,
    };
  }
  const folder = missingFolder(error);
  if (folder !== null)
    return {
      message: `There is no folder ${folder}: create it first.`,
      exitCode: EXIT_CODES.conflict,
    };
  return {
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    exitCode: INTERNAL,
  };
}

/** Whether listening failed because the address is in use. */
export function isAddressInUse(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    code === 'EADDRINUSE' ||
    code === 'AddrInUse' ||
    (error as { name?: unknown }).name === 'AddrInUse'
  );
}

export function permissionDenied(path: string | null): string {
  const place = path === null ? '' : `: ${path}`;
  return `Permission denied${place}. Run the command as the user who owns the files.`;
}

/** The folder that a file was to be opened in and that does not exist, or null. */
function missingFolder(error: unknown): string | null {
  const { code, syscall, path } = error as { code?: unknown; syscall?: unknown; path?: unknown };
  if (code !== 'ENOENT' || syscall !== 'open' || typeof path !== 'string') return null;
  const folder = dirname(path);
  return existsSync(folder) ? null : folder;
}

/** Whether a disk, or this user's share of it, is full. */
function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Whether the operating system denied permission, or the disk is read-only. */
export function isForbidden(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}
