import type { CatalogItem } from '../../domain/catalog.ts';
import { PackedNumbers, packedNumber } from '../engine/packed-numbers.ts';
import type { Statement } from '../engine/statement.ts';
import { endVersions } from './items.ts';
import { IndexedDocuments } from './word-index.ts';

/** The position of a text in a buffer, in bytes, counted from 1 as in SQL. */
export type TextPlace = readonly [start: number, length: number];

/** A name, other than its id, by which an offering can be referenced. */
export interface StagedName {
  readonly kind: number;
  readonly name: TextPlace;
  /** The variant it names; null for the offering as a whole. */
  readonly variantId: TextPlace | null;
}

export interface StagedDocument {
  readonly key: number;
  readonly passage: string | null;
  readonly textHash: string;
  /** The blank-separated terms of each field, in the order of `FIELDS`. */
  readonly fields: readonly TextPlace[];
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
  readonly documents: readonly StagedDocument[];
  /** The version it replaces; null for a new item. */
  readonly replacesKey: number | null;
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
 * Items that one transaction writes, with a single statement for each table: before each further one,
 * SQLite would copy every page that it changes and FTS5 would write the terms that it has collected,
 * so that either can be undone alone.
 */
export class StagedBatch {
  readonly #items: unknown[][] = [];
  readonly #names = new PackedNumbers();
  readonly #aliases: [externalId: string, id: string][] = [];
  readonly #newDocuments: unknown[][] = [];
  readonly #replacingDocuments: unknown[][] = [];
  readonly #indexed = new IndexedDocuments();
  readonly #replaced: number[] = [];
  readonly #texts: Uint8Array[] = [];
  /** Bytes of text before those that the items added next refer to. */
  #offset = 0;

  /** Adds items whose texts are in `texts`. */
  add(items: readonly StagedItem[], texts: Uint8Array): void {
    for (const item of items) this.#add(item);
    this.#texts.push(texts);
    this.#offset += texts.length;
  }

  /**
   * Writes new versions beside the visible ones, and ends the versions they replace at the preceding
   * generation.
   */
  statements({ organizationKey, shopKey, generation, format, nowMs }: Staging): Statement[] {
    const texts = Buffer.concat(this.#texts);
    const documents = [organizationKey, shopKey, generation];
    return [
      {
        // Bodies are sliced from raw bytes: inside JSON they would have to be escaped and parsed
        // again.
        sql: `INSERT INTO items (key, organization_key, shop_key, id, external_id, type, slug, availability, format, content_hash, body, first_generation, updated_at)
              SELECT value->>0, ?1, ?2, value->>1, value->>2, value->>3, value->>4, value->>5, ?3, value->>6,
                     CAST(substr(?4, value->>7, value->>8) AS TEXT), ?5, ?6 FROM json_each(?7)`,
        args: [
          ...[organizationKey, shopKey, format, texts],
          ...[generation, nowMs, JSON.stringify(this.#items)],
        ],
      },
      insertNames(organizationKey, this.#names, texts),
      ...ifAny(this.#aliases, (rows) => [insertAliases(shopKey, rows)]),
      ...ifAny(this.#newDocuments, (rows) => [insertDocuments(documents, rows)]),
      ...ifAny(this.#replacingDocuments, (rows) => [insertReplacingDocuments(documents, rows)]),
      ...ifAny(this.#replaced, (keys) => endVersions(keys, generation - 1)),
      this.#indexed.insert(organizationKey, texts),
    ];
  }

  #add(item: StagedItem): void {
    const { key, id, externalId, type, slug, availability, contentHash, replacesKey } = item;
    const [body, length] = this.#place(item.body);
    this.#items.push([
      ...[key, id, externalId, type, slug, availability, contentHash, body, length],
    ]);
    for (const { kind, name, variantId } of item.names)
      this.#names.add([key, kind, ...this.#place(name), ...this.#place(variantId ?? NO_TEXT)]);
    if (item.isAlias) this.#aliases.push([externalId, id]);
    for (const { key: documentKey, passage, textHash, fields } of item.documents) {
      const row = [documentKey, key, type, passage, textHash];
      if (replacesKey === null) this.#newDocuments.push(row);
      else this.#replacingDocuments.push([...row, replacesKey]);
      this.#indexed.add(documentKey, fields, this.#offset);
    }
    if (replacesKey !== null) this.#replaced.push(replacesKey);
  }

  #place([start, length]: TextPlace): TextPlace {
    return [start + this.#offset, length];
  }
}

function ifAny<Row>(
  rows: readonly Row[],
  statements: (rows: readonly Row[]) => Statement[],
): Statement[] {
  return rows.length === 0 ? [] : statements(rows);
}

function insertNames(organizationKey: number, names: PackedNumbers, texts: Uint8Array): Statement {
  const number = (column: number) => packedNumber(column, 'value', '?2');
  const text = (column: number) =>
    `CAST(substr(?1, ${number(column)}, ${number(column + 1)}) AS TEXT)`;
  return {
    sql: `INSERT OR IGNORE INTO item_references (organization_key, reference, kind, item_key, variant_id)
          SELECT ?4, ${text(2)}, ${number(1)}, ${number(0)}, ${text(4)} FROM json_each(?3)`,
    args: [texts, names.digits, names.places, organizationKey],
  };
}

function insertAliases(shopKey: number, aliases: readonly unknown[]): Statement {
  return {
    sql: `INSERT INTO item_identities (shop_key, external_id, id)
          SELECT ?, value->>0, value->>1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
    args: [shopKey, JSON.stringify(aliases)],
  };
}

const DOCUMENT_COLUMNS =
  'key, item_key, organization_key, shop_key, type, first_generation, passage, text_hash';

function insertDocuments(args: readonly number[], rows: readonly unknown[]): Statement {
  return {
    sql: `INSERT INTO documents (${DOCUMENT_COLUMNS})
          SELECT value->>0, value->>1, ?1, ?2, value->>2, ?3, value->>3, value->>4 FROM json_each(?4)`,
    args: [...args, JSON.stringify(rows)],
  };
}

/** An unchanged text keeps its vector: the one that answers, if it has two. */
function insertReplacingDocuments(args: readonly number[], rows: readonly unknown[]): Statement {
  return {
    sql: `INSERT INTO documents (${DOCUMENT_COLUMNS}, model_key, vector)
          SELECT j.value->>0, j.value->>1, ?1, ?2, j.value->>2, ?3, j.value->>3, j.value->>4,
            coalesce(f.model_key, o.model_key), coalesce(f.vector, o.vector)
          FROM json_each(?4) j LEFT JOIN documents o ON o.key =
            (SELECT min(key) FROM documents WHERE item_key = j.value->>5 AND text_hash = j.value->>4)
          LEFT JOIN former_vectors f ON f.document_key = o.key
            AND f.model_key = (SELECT vector_model_key FROM organizations WHERE key = ?1)`,
    args: [...args, JSON.stringify(rows)],
  };
}
