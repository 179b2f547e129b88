import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { type HitFields, toHit } from '../../domain/hit.ts';
import { deleteHitRequest, findHitRequest, type HitRequest } from '../../storage/hits.ts';
import type { Caller } from '../tenants/admit.ts';
import type { HitServices } from './hit-services.ts';

/** How long the answer to an Idempotency-Key is kept. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

/** A hit that passed every check, and its instant. */
export interface AcceptedHit {
  readonly fields: HitFields;
  readonly eventMs: number;
}

/** What makes a request the same one again. */
export interface Idempotency {
  readonly key: string;
  readonly body: string;
}

/** What is on disk for the hits of a request, in their order. */
export interface Recorded {
  readonly ids: readonly string[];
  readonly createdAt: number;
  /** Whether an earlier request did it, with the same Idempotency-Key. */
  readonly isReplay: boolean;
}

/**
 * Resolves when the hits are on disk, all of them. With an Idempotency-Key that was used within 24
 * hours nothing is written again. Throws `conflict` while another request uses the key,
 * `idempotency_key_reused` when it came with another body, and `unavailable`.
 */
export async function recordHits(
  services: HitServices,
  { organization }: Caller,
  { hits, idempotency }: { hits: readonly AcceptedHit[]; idempotency: Idempotency | null },
): Promise<Recorded> {
  if (idempotency === null) return write(services, organization.key, hits, null);
  const { hitRequestsInUse } = services;
  const inUse = `${organization.key}:${idempotency.key}`;
  if (hitRequestsInUse.has(inUse)) {
    throw new AppError('conflict', 'Another request with this Idempotency-Key is being answered.', {
      retryAfterMs: 1000,
    });
  }
  hitRequestsInUse.add(inUse);
  try {
    return await writeOnce(services, organization.key, hits, idempotency);
  } finally {
    hitRequestsInUse.delete(inUse);
  }
}

async function writeOnce(
  services: HitServices,
  organizationKey: number,
  hits: readonly AcceptedHit[],
  { key: idempotencyKey, body }: Idempotency,
): Promise<Recorded> {
  const { db, retentionClock } = services;
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const named = { organizationKey, idempotencyKey };
  const earlier = await findHitRequest(db, named);
  if (earlier !== null && earlier.createdAt > retentionClock.now() - IDEMPOTENCY_MS) {
    if (earlier.bodyHash !== bodyHash) {
      throw new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another body.',
      );
    }
    return { ids: earlier.ids, createdAt: earlier.createdAt, isReplay: true };
  }
  if (earlier !== null) await db.write([deleteHitRequest(db, named)]);
  return write(services, organizationKey, hits, { ...named, bodyHash });
}

async function write(
  { platform, hits: recorder }: HitServices,
  organizationKey: number,
  accepted: readonly AcceptedHit[],
  request: Pick<HitRequest, 'organizationKey' | 'idempotencyKey' | 'bodyHash'> | null,
): Promise<Recorded> {
  const createdAt = platform.now();
  const rows = accepted.map(({ fields, eventMs }) => {
    const id = platform.newId();
    return toHit(fields, { id, organizationKey, source: 'client', createdAt, eventMs });
  });
  const ids = rows.map(({ id }) => id);
  await recorder.record(rows, request === null ? null : { ...request, createdAt, ids });
  return { ids, createdAt, isReplay: false };
}
