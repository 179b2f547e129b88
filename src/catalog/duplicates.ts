import type { CatalogRow } from './reader.ts';

/** Rows whose external id no earlier one has; a later one becomes a fault with its record. Remembers every id. */
export async function* withoutDuplicates(
  rows: AsyncIterable<CatalogRow>,
): AsyncGenerator<CatalogRow> {
  const seen = new Set<string>();
  for await (const row of rows) {
    if ('fault' in row) yield row;
    else if (seen.has(row.item.externalId)) {
      const { item, ...position } = row;
      yield {
        fault: {
          ...position,
          externalId: item.externalId,
          column: null,
          code: 'duplicate_external_id',
          message: 'An earlier record has the same external id.',
          severity: 'error',
        },
      };
    } else {
      seen.add(row.item.externalId);
      yield row;
    }
  }
}
