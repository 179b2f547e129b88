import { forgetGrants } from '../../storage/oauth-grants.ts';
import type { BaseServices } from '../base-services.ts';

/** How long an ended sign-in is listed. */
const LISTED_MS = 30 * 24 * 3_600_000;

/** Deletes codes that nobody redeemed, and sign-ins that ended long ago. */
export async function forgetEndedGrants({
  db,
  directory,
  retentionClock,
}: BaseServices): Promise<void> {
  const nowMs = retentionClock.now();
  const statements = forgetGrants({ codesBefore: nowMs, grantsBefore: nowMs - LISTED_MS });
  const forgotten = await db.write(statements);
  if (forgotten.some(({ rowsAffected }) => rowsAffected > 0)) await directory.reload();
}
