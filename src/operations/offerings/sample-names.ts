import type { Organization } from '../../domain/organization.ts';
import { findNames } from '../../storage/catalog/items.ts';
import type { BaseServices } from '../base-services.ts';

/** Names of up to `limit` offerings, spread across an organization's catalogue. The choice is deterministic. */
export function sampleNames(
  { db }: BaseServices,
  { key }: Organization,
  limit: number,
): Promise<string[]> {
  return findNames(db, key, limit);
}
