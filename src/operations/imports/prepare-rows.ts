import type { CatalogEntry, CatalogRow, Fault } from '../../catalog/record/reader.ts';
import {
  type CatalogItem,
  canonicalItem,
  type Offering,
  offeringNames,
} from '../../domain/catalog.ts';
import { contentHash } from '../../domain/content-hash.ts';
import { catalogItemId } from '../../domain/ids.ts';
import { documentTexts } from '../../search/index/documents.ts';
import { PlaceList } from '../../storage/catalog/place-list.ts';
import type { TextPlace } from '../../storage/catalog/staged-items.ts';
import { TextBuffer } from '../../storage/catalog/text-buffer.ts';
import { type Linked, type LinkedOffering, productUrl } from '../offerings/offering-links.ts';
import { valuesOf } from './json-blocks.ts';

const NO_TEXT: TextPlace = [1, 0];

/** What a fault counts towards the length of a block: about its length in JSON. */
const FAULT_LENGTH = 256;

export interface PreparedDocument {
  readonly passage: string | null;
  readonly textHash: string;
}

/** A row of a catalogue, ready to be written. */
export interface PreparedRow {
  readonly position: Pick<CatalogEntry, 'file' | 'line' | 'record'>;
  readonly externalId: string;
  /** The id derived from the external id; replaced if the external id already belongs to another item. */
  readonly ownId: string;
  readonly type: CatalogItem['type'];
  readonly slug: string | null;
  readonly contentHash: string;
  readonly availability: string | null;
  /** How many names it can be referenced by. */
  readonly names: number;
  readonly documents: readonly PreparedDocument[];
  /** Null for contexts. */
  readonly link: PreparedLink | null;
}

/** What is known of an offering's address. */
export interface PreparedLink {
  /** What its links are made of, if it has no address. */
  readonly missing: (LinkedOffering & Pick<Offering, 'name'>) | null;
  /** Whether its address names one of its variants as Shopify does. */
  readonly isOfShopify: boolean;
}

/** The shop for which rows are prepared. */
export interface RowTarget {
  readonly shopId: string;
  readonly links: Linked['shop'];
  /** The organization's own hosts. */
  readonly domains: readonly string[];
}

export interface PreparedRows {
  readonly rows: readonly PreparedRow[];
  readonly faults: readonly Fault[];
  /** Bodies and names of all rows, in UTF-8. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Where those are, row after row (`StagedTexts`). */
  readonly places: Uint32Array<ArrayBuffer>;
}

/** Prepares a block of rows. Pure. */
export function prepareRows(block: string, target: RowTarget): PreparedRows {
  const batch = new RowBatch(target);
  for (const row of valuesOf(block)) batch.add(row as CatalogRow);
  return batch.finish();
}

/**
 * Rows that are handed over together. Computes everything about each that needs no database, which is most of an
 * import's work.
 */
export class RowBatch {
  readonly #target: RowTarget;
  readonly #rows: PreparedRow[] = [];
  readonly #faults: Fault[] = [];
  readonly #texts = new TextBuffer();
  readonly #places = new PlaceList();

  constructor(target: RowTarget) {
    this.#target = target;
  }

  /** In bytes. */
  get length(): number {
    return this.#texts.length + this.#faults.length * FAULT_LENGTH;
  }

  add(row: CatalogRow): void {
    if ('fault' in row) {
      this.#faults.push(row.fault);
      return;
    }
    const written = { target: this.#target, texts: this.#texts, places: this.#places };
    this.#rows.push(prepareRow(row, written));
  }

  finish(): PreparedRows {
    const [texts, places] = [this.#texts.bytes(), this.#places.numbers()];
    return { rows: this.#rows, faults: this.#faults, texts, places };
  }
}

function prepareRow(
  { item, file, line, record }: CatalogEntry,
  { target, texts, places }: { target: RowTarget; texts: TextBuffer; places: PlaceList },
): PreparedRow {
  const body = JSON.stringify(canonicalItem(item));
  const offering = item.type === 'product' ? item : null;
  places.addPlace(texts.add(body));
  const names = offering === null ? 0 : addNames(offering, texts, places);
  return {
    position: { file, line, record },
    externalId: item.externalId,
    ownId: catalogItemId(target.shopId, item.externalId),
    type: item.type,
    slug: offering?.slug ?? null,
    availability: offering?.availability ?? null,
    contentHash: contentHash(body),
    names,
    documents: documentTexts(item).map(({ embeddingText, passage }) => ({
      passage,
      textHash: contentHash(embeddingText),
    })),
    link: offering && prepareLink(offering, target),
  };
}

function prepareLink(offering: Offering, { links: shop, domains }: RowTarget): PreparedLink {
  const isOfShopify = namesVariant(offering);
  if (productUrl({ id: '', shop, offering }, domains) !== null)
    return { missing: null, isOfShopify };
  const { name, externalId, slug, sku, publicUrl, priceMinor } = offering;
  const missing = { name, externalId, slug, sku, publicUrl, priceMinor, variants: [] };
  return { missing, isOfShopify };
}

/** Whether the address is like `/products/tee?variant=808950810`, with the id of a variant. */
function namesVariant({ publicUrl, externalId, variants }: Offering): boolean {
  if (publicUrl === null || !publicUrl.includes('variant=')) return false;
  const { pathname, searchParams } = new URL(publicUrl);
  const named = searchParams.get('variant');
  const ids = [externalId, ...variants.map(({ id }) => id)];
  return pathname.includes('/products/') && named !== null && ids.includes(named);
}

/** Returns how many there are. */
function addNames(offering: Offering, texts: TextBuffer, places: PlaceList): number {
  const names = offeringNames(offering);
  for (const { kind, name, variantId } of names) {
    places.add(kind);
    places.addPlace(texts.add(name));
    places.addPlace(variantId === null ? NO_TEXT : texts.add(variantId));
  }
  return names.length;
}
