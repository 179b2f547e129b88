import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { canonicalAddress, networkOf } from '../../domain/private-data.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import {
  deleteHits,
  deleteRollUps,
  findPurgeable,
  firstHitKey,
} from '../../storage/hit-rollups.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { HitServices } from './hit-services.ts';
import { readDay } from './report-hits.ts';

/** Keys looked at in one go. */
const SPAN = 2000;

/** Hits deleted in one transaction. */
const DELETED_AT_ONCE = 500;

export const purgeHits = defineOperation({
  name: 'hits.purge',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    before: Type.Optional(Type.String({ description: 'Events of days before this one.' })),
    client: Type.Optional(
      Type.String({ description: 'Of this address, or of a network as it is kept after a day.' }),
    ),
    all: Type.Optional(Type.Boolean({ description: 'Every hit of the organization.' })),
  }),
  /**
   * Deletes hits, one by one and in the counts, for good; conditions narrow each other. Counts of
   * hits that were kept for their time and are gone stay, except those of purged days. Throws
   * `invalid_input` unless told what to purge.
   */
  async run(services: HitServices, { organization: reference, before, client, all = false }) {
    const { db, platform } = services;
    const organization = resolveOrganization(services, reference);
    const isTold = before !== undefined || client !== undefined;
    if (all === isTold)
      throw new AppError('invalid_input', 'Say what to purge: --before, --client or --all.');
    const filter = {
      organizationKey: organization.key,
      beforeDay: before === undefined ? null : readDay(before),
    };
    const isOfClient = client === undefined ? () => true : clientFilter(client);
    let purged = 0;
    for (let after = (await firstHitKey(db)) - 1; ; after += SPAN) {
      const { hits, isLast } = await findPurgeable(db, filter, { after, span: SPAN });
      const keys = hits.filter(({ client_ip: ip }) => isOfClient(ip)).map(({ key }) => key);
      for (let start = 0; start < keys.length; start += DELETED_AT_ONCE)
        await deleteSlice(services, keys.slice(start, start + DELETED_AT_ONCE));
      purged += keys.length;
      if (isLast) break;
      await platform.yield();
    }
    const entry = {
      at: platform.now(),
      organizationId: organization.id,
      event: 'hits.purged',
      // The address is what somebody wanted forgotten.
      details: { before: before ?? null, byClient: client !== undefined, all, purged },
    };
    await db.write([
      ...(client === undefined ? deleteRollUps(filter) : []),
      insertAuditEntry(db, entry),
    ]);
    return { purged };
  },
});

async function deleteSlice({ db, platform }: HitServices, keys: readonly number[]): Promise<void> {
  await db.write(deleteHits(keys));
  await platform.yield();
}

/** Whether a kept address is the one that is named, or of the network that is. Throws `invalid_input`. */
function clientFilter(named: string): (kept: string | null) => boolean {
  const [address = '', prefix] = named.split('/');
  const canonical = canonicalAddress(address);
  const network = canonical === null ? null : networkOf(canonical);
  if (canonical === null || (prefix !== undefined && !network!.endsWith(`/${prefix}`)))
    throw new AppError(
      'invalid_input',
      'A client is an address, or a network such as 203.0.113.0/24 or 2001:db8:1::/48.',
    );
  return prefix === undefined
    ? (kept) => kept === canonical
    : (kept) => kept !== null && networkOf(kept) === network;
}
