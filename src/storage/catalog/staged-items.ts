import type { CatalogItem } from '../../domain/catalog.ts';
import { PackedNumbers, packedNumber } from '../engine/packed-numbers.ts';
import type { Statement } from '../engine/statement.ts';
import { endVersions } from './items.ts';

/** The position of a text in a buffer, in bytes, counted from 1 as in SQL. */
export type TextPlace = readonly [start: number, length: number];

/** Numbers for a name by which an offering can be referenced: its kind, its place, and that of its variant. */
const PLACES_OF_NAME = 5;

export interface StagedDocument {
  readonly key: number;
  readonly passage: string | null;
  readonly textHash: string;
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
  readonly availability: string | null;
  /** Names, other than its id, by which an offering can be referenced. */
  readonly names: number;
  readonly documents: readonly StagedDocument[];
  /** Where the numbers of its places begin. */
  readonly placesAt: number;
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

/**
 * Texts of items, and where they are: for each item the place of its body as JSON, then for each name its
 * kind, its place, and that of the variant it names (empty for the offering as a whole). A place is a start,
 * counted from 1, and a length, in bytes.
 */
export interface StagedTexts {
  readonly texts: Uint8Array;
  readonly places: Uint32Array;
}

/** How many numbers the places of an item take. */
export function countPlaces(names: number): number {
  return 2 + names * PLACES_OF_NAME;
}

/**
 * Items that one transaction writes, with a single statement for each table: before each further one,
 * SQLite would copy every page that it changes, so that it can be undone alone.
 */
export class StagedBatch {
  readonly #items: unknown[][] = [];
  readonly #names = new PackedNumbers();
  readonly #aliases: [externalId: string, id: string][] = [];
  readonly #newDocuments: unknown[][] = [];
  readonly #replacingDocuments: unknown[][] = [];
  readonly #replaced: number[] = [];
  readonly #texts: Uint8Array[] = [];
  /** Bytes of text before those that the items added next refer to. */
  #offset = 0;

  add(items: readonly StagedItem[], { texts, places }: StagedTexts): void {
    for (const item of items) this.#add(item, places);
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
        // Bodies are cut out of raw bytes. As JSON strings they would be escaped here and parsed by SQLite.
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
    ];
  }

  #add(item: StagedItem, places: Uint32Array): void {
    const { key, id, externalId, type, slug, availability, contentHash, replacesKey } = item;
    const offset = this.#offset;
    let at = item.placesAt;
    const start = places[at]! + offset;
    const length = places[at + 1]!;
    this.#items.push([key, id, externalId, type, slug, availability, contentHash, start, length]);
    at += 2;
    for (let name = 0; name < item.names; name++) {
      this.#addName(key, places, at);
      at += PLACES_OF_NAME;
    }
    if (item.isAlias) this.#aliases.push([externalId, id]);
    for (const { key: documentKey, passage, textHash } of item.documents) {
      if (replacesKey === null)
        this.#newDocuments.push([documentKey, key, type, passage, textHash]);
      else this.#replacingDocuments.push([documentKey, key, type, passage, textHash, replacesKey]);
    }
    if (replacesKey !== null) this.#replaced.push(replacesKey);
  }

  #addName(itemKey: number, places: Uint32Array, at: number): void {
    const names = this.#names;
    names.begin(1 + PLACES_OF_NAME);
    names.add(itemKey);
    names.add(places[at]!);
    names.add(places[at + 1]! + this.#offset);
    names.add(places[at + 2]!);
    names.add(places[at + 3]! + this.#offset);
    names.add(places[at + 4]!);
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
