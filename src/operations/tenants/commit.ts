import type { Organization } from '../../domain/organization.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import type { BaseServices } from '../base-services.ts';

/** Writes the change of one organization and an audit entry in one transaction, then shows both. */
export async function commit(
  { db, directory, platform }: BaseServices,
  statements: readonly Statement[],
  {
    organization: { key, id: organizationId },
    ...entry
  }: {
    readonly organization: Pick<Organization, 'key' | 'id'>;
    readonly event: string;
    readonly details: Record<string, unknown>;
  },
): Promise<void> {
  const audit = insertAuditEntry(db, { at: platform.now(), organizationId, ...entry });
  await db.write([...statements, audit]);
  await directory.reloadOrganization(key);
}
