import type { CatalogItem } from '../../domain/catalog.ts';
import { packedNumber, packNumbers } from '../engine/packed-numbers.ts';
import type { Statement } from '../engine/statement.ts';
import { endVersions } from './items.ts';

/** The position of a text in a buffer, in bytes, counted from 1 as in SQL. */
export type TextPlace = readonly [start: number, length: number];

/** A name, other than its id, by which an offering can be referenced. */
export interface StagedName {
  readonly kind: number;
  readonly name: TextPlace;
  /** The variant it names; null for the offering as a whole. */
  readonly variantId: TextPlace | null;
}

/** A version of an item that an import writes. */
export interface StagedItem {
  readonly key: number;
  readonly id: string;
  readonly externalId: string;
  /**
   * Whether the external id must be stored as an alias, because the item's id is not derived from
   * it.
   */
  readonly isAlias: boolean;
  readonly type: CatalogItem['type'];
  readonly slug: string | null;
  readonly contentHash: string;
  /** The item as JSON. */
  readonly body: TextPlace;
  readonly availability: string | null;
  readonly names: readonly StagedName[];
  /** The version it replaces; null for a new item. */
  readonly replacesKey: number | null;
}

export interface StagedDocument {
  readonly key: number;
  readonly itemKey: number;
  readonly type: CatalogItem['type'];
  readonly passage: string | null;
  readonly textHash: string;
  readonly replacesItemKey: number | null;
}

export interface Staging {
  readonly organizationKey: number;
  readonly shopKey: number;
  /** The generation that the import will make visible. */
  readonly generation: number;
  readonly format: string;
  readonly nowMs: number;
}

const NO_TEXT: TextPlace = [1, 0];

/**
 * Writes new versions beside the visible ones, and ends the versions they replace at the preceding
 * generation.
 */
export function stageItems(
  staging: Staging,
  items: readonly StagedItem[],
  documents: readonly StagedDocument[],
  texts: Uint8Array,
): Statement[] {
  const { organizationKey, shopKey, generation, format, nowMs } = staging;
  const itemRows = items.map(({ body, ...item }) => [
    ...[item.key, item.id, item.externalId, item.type, item.slug, item.availability],
    ...[item.contentHash, ...body],
  ]);
  const aliases = items.filter(({ isAlias }) => isAlias);
  const replaced = items.flatMap(({ replacesKey }) => replacesKey ?? []);
  return [
    {
      // Bodies are sliced from raw bytes: inside JSON they would have to be escaped and parsed
      // again.
      sql: `INSERT INTO items (key, organization_key, shop_key, id, external_id, type, slug, availability, format, content_hash, body, first_generation, updated_at)
            SELECT value->>0, ?1, ?2, value->>1, value->>2, value->>3, value->>4, value->>5, ?3, value->>6,
                   CAST(substr(?4, value->>7, value->>8) AS TEXT), ?5, ?6 FROM json_each(?7)`,
      args: [
        ...[organizationKey, shopKey, format, texts],
        ...[generation, nowMs, JSON.stringify(itemRows)],
      ],
    },
    insertNames(organizationKey, items, texts),
    ...(aliases.length === 0 ? [] : [insertAliases(shopKey, aliases)]),
    ...insertDocuments(staging, documents),
    ...(replaced.length === 0 ? [] : endVersions(replaced, generation - 1)),
  ];
}

function insertNames(
  organizationKey: number,
  items: readonly StagedItem[],
  texts: Uint8Array,
): Statement {
  const rows = items.flatMap(({ key, names }) =>
    names.map(({ kind, name, variantId }) => [key, kind, ...name, ...(variantId ?? NO_TEXT)]),
  );
  const number = (column: number) => packedNumber(column, 'value', '?2');
  const text = (column: number) =>
    `CAST(substr(?1, ${number(column)}, ${number(column + 1)}) AS TEXT)`;
  const [places, digits] = packNumbers(rows);
  return {
    sql: `INSERT OR IGNORE INTO item_references (organization_key, reference, kind, item_key, variant_id)
          SELECT ?4, ${text(2)}, ${number(1)}, ${number(0)}, ${text(4)} FROM json_each(?3)`,
    args: [texts, digits, places, organizationKey],
  };
}

function insertAliases(shopKey: number, items: readonly StagedItem[]): Statement {
  return {
    sql: `INSERT INTO item_identities (shop_key, external_id, id)
          SELECT ?, value->>0, value->>1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
    args: [shopKey, JSON.stringify(items.map(({ externalId, id }) => [externalId, id]))],
  };
}

function insertDocuments(
  { organizationKey, shopKey, generation }: Staging,
  documents: readonly StagedDocument[],
): Statement[] {
  const columns =
    'key, item_key, organization_key, shop_key, type, first_generation, passage, text_hash';
  const insert = (kept: readonly StagedDocument[], sql: string): Statement[] => {
    if (kept.length === 0) return [];
    const rows = kept.map(({ key, itemKey, type, passage, textHash, replacesItemKey }) => [
      ...[key, itemKey, type, passage, textHash, replacesItemKey],
    ]);
    return [{ sql, args: [organizationKey, shopKey, generation, JSON.stringify(rows)] }];
  };
  return [
    ...insert(
      documents.filter(({ replacesItemKey }) => replacesItemKey === null),
      `INSERT INTO documents (${columns})
       SELECT value->>0, value->>1, ?1, ?2, value->>2, ?3, value->>3, value->>4 FROM json_each(?4)`,
    ),
    // An unchanged text keeps its vector: the one that answers, if it has two.
    ...insert(
      documents.filter(({ replacesItemKey }) => replacesItemKey !== null),
      `INSERT INTO documents (${columns}, model_key, vector)
       SELECT j.value->>0, j.value->>1, ?1, ?2, j.value->>2, ?3, j.value->>3, j.value->>4,
         coalesce(f.model_key, o.model_key), coalesce(f.vector, o.vector)
       FROM json_each(?4) j LEFT JOIN documents o ON o.key =
         (SELECT min(key) FROM documents WHERE item_key = j.value->>5 AND text_hash = j.value->>4)
       LEFT JOIN former_vectors f ON f.document_key = o.key
         AND f.model_key = (SELECT vector_model_key FROM organizations WHERE key = ?1)`,
    ),
  ];
}
