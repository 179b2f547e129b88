import type { CatalogItem, Context, Offering } from '../../domain/catalog.ts';
import type { TermTable } from '../../search/index/term-table.ts';
import type { TermGroup } from '../../search/query/expand-terms.ts';
import { type Highlight, highlight } from '../../search/results/match.ts';
import {
  highlightTokenized,
  locateGroups,
  type TokenizedText,
  tokenizeText,
} from '../../search/results/tokenized-text.ts';
import type { Language } from '../../search/text/language.ts';
import { findItems, findPassages, type StoredItem } from '../../storage/catalog/items.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { LanguageOfShop } from './shop-languages.ts';

/** An item without its attributes, which are only searched and often make up most of it. */
export type ShownItem = Context | Omit<Offering, 'attributes'>;

/**
 * The parts of a document that an answer shows: an offering and its description, or a context and
 * its best passage.
 */
export interface ShownDocument {
  readonly stored: Omit<StoredItem, 'item'> & { readonly item: ShownItem };
  readonly description: string;
}

/** The texts of a document that are highlighted, in the order of an answer. */
function shownTexts({ stored: { item }, description }: ShownDocument): [string, string][] {
  return [
    ['name', item.name],
    ...(item.type === 'product' ? [['tags', item.tags.join(', ')] as [string, string]] : []),
    ['description', description],
  ];
}

/** A document with the texts that are highlighted, tokenized by one term table. */
export interface TokenizedDocument extends ShownDocument {
  readonly language: Language;
  readonly texts: readonly {
    readonly field: string;
    readonly text: string;
    /** Null if the text must be tokenized each time. */
    readonly tokenized: TokenizedText | null;
  }[];
}

/** A document without tokenized texts, for one that is shown only once. */
export function untokenized(document: ShownDocument, language: Language): TokenizedDocument {
  const texts = shownTexts(document).map(([field, text]) => ({ field, text, tokenized: null }));
  return { ...document, language, texts };
}

/** Both keys of a document. */
export interface DocumentKeys {
  readonly documentKey: number;
  readonly itemKey: number;
}

/** Reads documents of an organization, by document key. Documents that are gone are left out. */
export async function findShownDocuments(
  db: Database,
  organizationKey: number,
  documents: readonly DocumentKeys[],
): Promise<Map<number, ShownDocument>> {
  const itemKeys = new Set(documents.map(({ itemKey }) => itemKey));
  const items = await findItems(db, organizationKey, [...itemKeys]);
  const isContext = ({ itemKey }: DocumentKeys) => items.get(itemKey)?.item.type === 'context';
  const contexts = documents.filter(isContext).map(({ documentKey }) => documentKey);
  const passages =
    contexts.length === 0 ? new Map<number, string | null>() : await findPassages(db, contexts);
  const shown = new Map<number, ShownDocument>();
  for (const { documentKey, itemKey } of documents) {
    const stored = items.get(itemKey);
    if (stored === undefined) continue;
    const description = passages.get(documentKey) ?? stored.item.description;
    shown.set(documentKey, { stored: { ...stored, item: shownItem(stored.item) }, description });
  }
  return shown;
}

function shownItem(item: CatalogItem): ShownItem {
  if (item.type === 'context') return item;
  const { attributes: _, ...shown } = item;
  return shown;
}

/** The cache size for recently shown documents of all catalogues: about 15,000 offerings. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** Memory for a cached document, its tokens and its encoded form, per character of its JSON. */
const BYTES_PER_CHARACTER = 4;
const BYTES_PER_DOCUMENT = 1500;

/**
 * Identifies one text of a document for ever; a key alone may be reused after old versions are
 * deleted.
 */
export interface VersionedKeys extends DocumentKeys {
  readonly generation: number;
}

/** The term table by which cached texts are tokenized. */
interface Numbering {
  /** Different for different tables. */
  readonly id: symbol;
  readonly table: TermTable;
}

interface KeptDocument extends TokenizedDocument {
  readonly organizationKey: number;
  readonly generation: number;
  /** A document tokenized by another table is not found. */
  readonly numbering: symbol;
  readonly bytes: number;
}

/**
 * A cache of recently shown documents in two generations: a document of the older one survives only
 * if it is asked for again.
 */
export class ShownDocuments {
  readonly #db: Database;
  readonly #languageOfShop: LanguageOfShop;
  readonly #bytesMax: number;
  #young = new Map<number, KeptDocument>();
  #youngBytes = 0;
  #old: Map<number, KeptDocument> = new Map();
  /** Counts calls of `forget`: what was read before one may be outdated after it. */
  #forgotten = 0;

  constructor(db: Database, languageOfShop: LanguageOfShop, bytesMax = KEPT_BYTES_MAX) {
    this.#db = db;
    this.#languageOfShop = languageOfShop;
    this.#bytesMax = bytesMax;
  }

  /** In order; null for a document that is gone. */
  async find(
    organizationKey: number,
    documents: readonly VersionedKeys[],
    { id: numbering, table }: Numbering,
  ): Promise<(KeptDocument | null)[]> {
    const kept = documents.map(({ documentKey, generation }) =>
      this.#find(documentKey, { organizationKey, generation, numbering }),
    );
    const missing = documents.filter((_, place) => kept[place] === null);
    if (missing.length === 0) return kept;
    const forgotten = this.#forgotten;
    const found = await findShownDocuments(this.#db, organizationKey, missing);
    return documents.map(({ documentKey, generation }, place) => {
      const shown = found.get(documentKey);
      if (shown === undefined) return kept[place]!;
      const language = this.#languageOfShop(shown.stored.shopKey);
      const texts = shownTexts(shown).map(([field, text]) => {
        return { field, text, tokenized: tokenizeText(text, language, table) };
      });
      const bytes =
        BYTES_PER_DOCUMENT + JSON.stringify(shown.stored.item).length * BYTES_PER_CHARACTER;
      const versioned = { organizationKey, generation, numbering };
      const document = { ...shown, ...versioned, language, bytes, texts };
      return forgotten === this.#forgotten ? this.#keep(documentKey, document) : document;
    });
  }

  /** Drops documents that have been changed in place. */
  forget(documentKeys: Iterable<number>): void {
    this.#forgotten += 1;
    for (const documentKey of documentKeys) {
      this.#youngBytes -= this.#young.get(documentKey)?.bytes ?? 0;
      this.#young.delete(documentKey);
      this.#old.delete(documentKey);
    }
  }

  #find(
    documentKey: number,
    {
      organizationKey,
      generation,
      numbering,
    }: Pick<KeptDocument, 'organizationKey' | 'generation' | 'numbering'>,
  ): KeptDocument | null {
    const young = this.#young.get(documentKey);
    const kept = young ?? this.#old.get(documentKey);
    if (kept?.numbering !== numbering || kept.generation !== generation) return null;
    if (kept.organizationKey !== organizationKey) return null;
    return kept === young ? kept : this.#keep(documentKey, kept);
  }

  #keep(documentKey: number, document: KeptDocument): KeptDocument {
    if (this.#youngBytes + document.bytes > this.#bytesMax / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(documentKey, document);
    this.#youngBytes += document.bytes;
    return document;
  }
}

/** Highlights a question's matches in documents; `table` must be the one that tokenized them. */
export function documentHighlighter(
  groups: readonly TermGroup[],
  table: TermTable,
): (document: TokenizedDocument) => Highlight[] {
  const located = locateGroups(groups, table);
  return ({ language, texts }) =>
    texts
      .map(({ field, text, tokenized }) =>
        tokenized === null
          ? highlight(field, text, groups, language)
          : highlightTokenized(field, tokenized, located),
      )
      .filter((found) => found !== null);
}
