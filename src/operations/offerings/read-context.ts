import type { Context } from '../../domain/catalog.ts';
import { isUuid } from '../../domain/ids.ts';
import { findContexts, findItemById } from '../../storage/catalog/offerings.ts';
import type { BaseServices } from '../base-services.ts';

/** The organization's context with that id; null if there is none. */
export async function readContext(
  { db }: BaseServices,
  organizationKey: number,
  id: string,
): Promise<Context | null> {
  const found = isUuid(id) ? await findItemById(db, organizationKey, id) : null;
  return found?.item.type === 'context' ? found.item : null;
}

/** The organization's contexts with row keys above `after`, in the order of keys. */
export async function listContexts(
  { db }: BaseServices,
  organizationKey: number,
  page: { after: number; limit: number },
): Promise<{ key: number; id: string; context: Context }[]> {
  return findContexts(db, organizationKey, page);
}
