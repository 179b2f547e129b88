import { AppError } from '../../domain/errors.ts';
import {
  findCatalogRequest,
  insertCatalogRequest,
} from '../../storage/catalog/catalog-requests.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import type { PushServices } from './push-services.ts';

/** How long an Idempotency-Key is remembered. */
const REMEMBERED_MS = 24 * 3_600_000;

/** A request that may be repeated. */
export interface KeyedRequest {
  /** Its Idempotency-Key. */
  readonly key: string;
  /** Equal for equal requests. */
  readonly digest: string;
}

/** An answer that is stored for a repeated request. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

/** The statements that store the answer. They belong in the transaction of the change. */
export type RecordAnswer = (answer: StoredAnswer) => Statement[];

/**
 * Runs a request unless the same one was answered within the last 24 hours; then returns that answer.
 * Without a key, it runs each time. Throws `conflict` while another request uses the key,
 * `idempotency_key_reused` if the key came with another request, and what `run` throws.
 */
export async function answerOnce(
  services: PushServices,
  { organizationKey, request }: { organizationKey: number; request: KeyedRequest | null },
  run: (record: RecordAnswer) => Promise<StoredAnswer>,
): Promise<{ readonly answer: StoredAnswer; readonly isReplay: boolean }> {
  if (request === null) return { answer: await run(() => []), isReplay: false };
  const { db, platform, retentionClock, catalogRequestsInUse: inUse } = services;
  const { key: idempotencyKey, digest: requestHash } = request;
  const name = `${organizationKey}:${idempotencyKey}`;
  if (inUse.has(name))
    throw new AppError('conflict', 'Another request with this Idempotency-Key is being answered.', {
      retryAfterMs: 1000,
    });
  inUse.add(name);
  try {
    const since = retentionClock.now() - REMEMBERED_MS;
    const named = { organizationKey, idempotencyKey };
    const earlier = await findCatalogRequest(db, named, since);
    if (earlier === null) {
      const createdAt = platform.now();
      const record: RecordAnswer = ({ status, body: answer }) =>
        insertCatalogRequest(db, { ...named, requestHash, createdAt, status, answer }, since);
      return { answer: await run(record), isReplay: false };
    }
    if (earlier.requestHash !== requestHash)
      throw new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key was used with another request.',
      );
    return { answer: { status: earlier.status, body: earlier.answer }, isReplay: true };
  } finally {
    inUse.delete(name);
  }
}
