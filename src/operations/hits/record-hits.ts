import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { type HitFields, toHit } from '../../domain/hit.ts';
import { findHitRequest, type HitRequest } from '../../storage/hits.ts';
import type { Caller } from '../tenants/admit.ts';
import type { HitServices } from './hit-services.ts';

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

/** A valid hit with its time. */
export interface AcceptedHit {
  readonly fields: HitFields;
  readonly eventMs: number;
}

/** What identifies a repeated request. */
export interface Idempotency {
  readonly key: string;
  readonly body: string;
}

/** The stored result for the hits of a request, in request order. */
export interface Recorded {
  readonly ids: readonly string[];
  readonly createdAt: number;
  /** Whether an earlier request with the same Idempotency-Key recorded them. */
  readonly isReplay: boolean;
}

/**
 * Resolves when all hits are on disk. Writes nothing again if the Idempotency-Key was used within the
 * last 24 hours. Throws `conflict` while another request uses the key, `idempotency_key_reused` if the
 * key came with a different body, and `unavailable`.
 */
export async function recordHits(
  services: HitServices,
  { organization }: Caller,
  { hits, idempotency }: { hits: readonly AcceptedHit[]; idempotency: Idempotency | null },
): Promise<Recorded> {
  if (idempotency === null) return (await write(services, organization.key, hits, null)).recorded;
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
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const named = { organizationKey, idempotencyKey };
  const { recorded, isNew } = await write(services, organizationKey, hits, { ...named, bodyHash });
  if (isNew) return recorded;
  const earlier = await findHitRequest(services.db, named);
  if (earlier === null) {
    throw new AppError('conflict', 'This Idempotency-Key has just run out: try again.', {
      retryAfterMs: 1000,
    });
  }
  if (earlier.bodyHash !== bodyHash) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body.',
    );
  }
  return { ids: earlier.ids, createdAt: earlier.createdAt, isReplay: true };
}

/** `isNew` is false, and nothing was written, if the request's key was already used. */
async function write(
  { platform, retentionClock, hits: recorder }: HitServices,
  organizationKey: number,
  accepted: readonly AcceptedHit[],
  request: Pick<HitRequest, 'organizationKey' | 'idempotencyKey' | 'bodyHash'> | null,
): Promise<{ recorded: Recorded; isNew: boolean }> {
  const createdAt = platform.now();
  const rows = accepted.map(({ fields, eventMs }) => {
    const id = platform.newId();
    return toHit(fields, {
      id,
      organizationKey,
      source: 'client',
      access: 'key',
      createdAt,
      eventMs,
    });
  });
  const ids = rows.map(({ id }) => id);
  const isNew =
    request === null
      ? await recorder.record(rows)
      : await recorder.record(rows, {
          request: { ...request, createdAt, ids },
          since: retentionClock.now() - IDEMPOTENCY_MS,
        });
  return { recorded: { ids, createdAt, isReplay: false }, isNew };
}
