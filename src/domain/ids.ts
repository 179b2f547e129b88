import { v5 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The id of an offering or context: the same on every machine for the same shop and external id. */
export function catalogItemId(shopId: string, externalId: string): string {
  return v5(externalId, shopId);
}
