import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { type HitFields, toHit } from '../../domain/hit.ts';
import { findHitRequest, type HitRequest } from '../../storage/hits.ts';
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

/** `isNew` is false where the request's key was used before: then nothing was written. */
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
