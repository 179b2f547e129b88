import { expect } from 'bun:test';
import type { IndexArchive } from '../../src/operations/indexes/index-archive.ts';
import { IndexKeeper } from '../../src/operations/indexes/index-keeper.ts';
import { searchCatalog } from '../../src/operations/search/search-catalog.ts';
import type { Services } from '../../src/services.ts';

const never = new AbortController().signal;

/** A keeper with the organization's index in memory, read from the archive or made from the database. */
export async function loadedKeeper(
  services: Services,
  organizationKey: number,
  archive: IndexArchive | null,
): Promise<IndexKeeper> {
  const indexes = new IndexKeeper({ ...services, budgetBytes: 1 << 30, archive });
  indexes.find(organizationKey);
  await loadWanted({ indexes });
  expect(indexes.find(organizationKey)).not.toBeNull();
  return indexes;
}

/** Loads each index that was asked for. */
export async function loadWanted({ indexes }: Pick<Services, 'indexes'>): Promise<void> {
  while (await indexes.loadNext(never));
}

/** What searches find with a keeper's index, and in which order. */
export async function answersOf(
  services: Services,
  organizationKey: number,
  { indexes, questions }: { indexes: IndexKeeper; questions: readonly string[] },
): Promise<unknown[]> {
  const page = { productsOnly: false, skipScoring: false, offset: 0, limit: 30 };
  const found: unknown[] = [];
  for (const question of questions) {
    const asked = { organizationKey, shops: null, question, ...page };
    const { timings: _, results, ...answer } = await searchCatalog({ ...services, indexes }, asked);
    found.push({ ...answer, results: results.map(({ stored, score }) => [stored, score]) });
  }
  return found;
}
