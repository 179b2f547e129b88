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

/** One line for a person and an exit code for a program. */
interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

/** What went wrong. Only of a bug the message has several lines: its stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof AppError) return failure(error.code, error.message);
  if (error instanceof ConfigError) return { message: error.message, exitCode: BAD_CONFIGURATION };
  return (
    describeListening(error) ??
    describeFiles(error) ?? {
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      exitCode: INTERNAL,
    }
  );
}

function failure(code: ErrorCode, message: string): Failure {
  return { message, exitCode: EXIT_CODES[code] };
}

/** Null unless the operating system refused to listen on an address. */
function describeListening(error: unknown): Failure | null {
  const { code, syscall } = error as SystemError;
  const choice = 'choose another with --listen or --ops-listen.';
  if (isAddressInUse(error))
    return failure('unavailable', `Another program is listening on that address: ${choice}`);
  if (code === 'EADDRNOTAVAIL')
    return failure('unavailable', `This machine does not have that address: ${choice}`);
  // Bun reports a host name that does not resolve as a denied permission, too.
  if (syscall === 'listen' && isForbidden(error))
    return failure(
      'forbidden',
      `Listening on that address is not permitted. Ports below 1024 need a privilege, and a host name must be one of this machine: ${choice}`,
    );
  return null;
}

/** Null unless the operating system refused a file or folder, for a reason that a person can remove. */
function describeFiles(error: unknown): Failure | null {
  const { code, path, dest } = error as SystemError;
  const place = dest ?? path;
  if (isForbidden(error)) return failure('forbidden', permissionDenied(path ?? null));
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return failure(
      'unavailable',
      `No space is left on the disk${place === undefined ? '' : `: ${place}`}. Make room and run it again.`,
    );
  const missing = missingFolder(error);
  if (missing !== null)
    return failure('conflict', `There is no folder ${missing}: create it first.`);
  const file = fileInPlaceOfFolder(error);
  return file === null
    ? null
    : failure('conflict', `${file} is a file, not a folder: name a folder instead.`);
}

/** What Node's errors of the operating system have, as far as a message needs it. */
interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly dest?: string;
}

/** Whether listening failed because the address is in use. */
export function isAddressInUse(error: unknown): boolean {
  const { code, name } = error as SystemError & { name?: unknown };
  return code === 'EADDRINUSE' || code === 'AddrInUse' || name === 'AddrInUse';
}

export function permissionDenied(path: string | null): string {
  const place = path === null ? '' : `: ${path}`;
  return `Permission denied${place}. Run the command as the user who owns the files.`;
}

/** The folder that a file was to be opened in and that does not exist, or null. */
function missingFolder(error: unknown): string | null {
  const { code, syscall, path } = error as SystemError;
  if (code !== 'ENOENT' || syscall !== 'open' || path === undefined) return null;
  const folder = dirname(path);
  return existsSync(folder) ? null : folder;
}

/** The file on the path of an error that expected a folder there, or null. */
function fileInPlaceOfFolder(error: unknown): string | null {
  const { code, syscall, path } = error as SystemError;
  const isBlocked = code === 'ENOTDIR' || (code === 'EEXIST' && syscall === 'mkdir');
  if (!isBlocked || path === undefined) return null;
  let place = path;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

/** Whether the operating system denied permission, or the disk is read-only. */
export function isForbidden(error: unknown): boolean {
  const { code } = error as SystemError;
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}
