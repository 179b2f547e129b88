import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { canonicalAddress, networkOf } from '../../domain/private-data.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import { forgetChosenSearches } from '../../storage/chosen-searches.ts';
import {
  deleteHits,
  deleteRollUps,
  findPurgeable,
  firstHitKey,
} from '../../storage/hit-rollups.ts';
import { forgetHits, forgetVoices } from '../../storage/learned-voices.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { HitServices } from './hit-services.ts';
import { recountAll } from './maintain-hits.ts';
import { readDay } from './report-range.ts';

/** Row keys examined at once. */
const SPAN = 2000;

/** Hits deleted in one transaction. */
const DELETED_AT_ONCE = 500;

export const purgeHits = defineOperation({
  name: 'hits.purge',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    before: Type.Optional(Type.String({ description: 'Deletes events before this day.' })),
    client: Type.Optional(
      Type.String({ description: 'Deletes hits of this IP address or network.' }),
    ),
    all: Type.Optional(Type.Boolean({ description: 'Deletes every hit of the organization.' })),
  }),
  /**
   * Deletes hits permanently, from the records, the counts and what was learned. A hit must match every condition given.
   * Counts of hits that have already expired stay, except those of purged days. Throws `invalid_input` if
   * no condition is given.
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
    await recountAll(services);
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
    while (client === undefined && (await forgetVoices(db, filter, DELETED_AT_ONCE)) > 0)
      await platform.yield();
    const entry = {
      at: platform.now(),
      organizationId: organization.id,
      event: 'hits.purged',
      // The audit log must not keep the IP address that was to be deleted.
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
  await db.write([...deleteHits(keys), ...forgetHits(keys), forgetChosenSearches(keys)]);
  await platform.yield();
}

/** Matches stored IP addresses against an address or network. Throws `invalid_input`. */
function clientFilter(named: string): (kept: string | null) => boolean {
  const [address = '', prefix] = named.split('/');
  const canonical = canonicalAddress(address);
  const network = canonical === null ? null : networkOf(canonical);
  if (canonical === null || (prefix !== undefined && !network!.endsWith(`/${prefix}`)))
    throw new AppError(
      'invalid_input',
      'A client is an IP address, or a network such as 203.0.113.0/24 or 2001:db8:1::/48.',
    );
  return prefix === undefined
    ? (kept) => kept === canonical
    : (kept) => kept !== null && networkOf(kept) === network;
}
