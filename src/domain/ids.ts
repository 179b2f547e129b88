import { hash } from 'node:crypto';
import { parse, v4 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * The id of an offering or context, a UUID of version 5 (RFC 9562): the same shop and external id give the same id
 * on every machine. An import makes one for each row, and the library takes three times as long.
 */
export function catalogItemId(shopId: string, externalId: string): string {
  const digest = hash('sha1', Buffer.concat([namespaceOf(shopId), Buffer.from(externalId)]), 'hex');
  const variant = VARIANTS[Number.parseInt(digest[16]!, 16) & 3]!;
  const [first, second] = [digest.slice(0, 8), digest.slice(8, 12)];
  const [third, fourth] = [digest.slice(13, 16), digest.slice(17, 20)];
  return `${first}-${second}-5${third}-${variant}${fourth}-${digest.slice(20, 32)}`;
}

/** The first digit of the fourth part, by its last two bits. */
const VARIANTS = '89ab';

let namespace = { shopId: '', bytes: new Uint8Array() };

/** Of the shop that was asked for last: an import asks for one shop only. */
function namespaceOf(shopId: string): Uint8Array {
  if (namespace.shopId !== shopId) namespace = { shopId, bytes: parse(shopId) };
  return namespace.bytes;
}

/** An unguessable id made from 16 random bytes. */
export function randomId(bytes: Uint8Array): string {
  return v4({ random: bytes });
}
