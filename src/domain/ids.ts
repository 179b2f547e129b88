import { v4, v5 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The id of an offering or context: the same shop and external id give the same id on every machine. */
export function catalogItemId(shopId: string, externalId: string): string {
  return v5(externalId, shopId);
}

/** An unguessable id made from 16 random bytes. */
export function randomId(bytes: Uint8Array): string {
  return v4({ random: bytes });
}
