import type { Organization } from '../../domain/organization.ts';
import { findNames } from '../../storage/catalog/items.ts';
import type { BaseServices } from '../base-services.ts';

/** Names of up to `limit` offerings from all over an organization's catalogue, the same ones each time. */
export function sampleNames(
  { db }: BaseServices,
  { key }: Organization,
  limit: number,
): Promise<string[]> {
  return findNames(db, key, limit);
}
