import type { CatalogItem, Context, Offering } from '../../domain/catalog.ts';
import type { Field } from '../../domain/field.ts';
import type { TermTable } from '../../search/index/term-table.ts';
import type { TermGroup } from '../../search/query/expand-terms.ts';
import {
  type FieldMatches,
  groupFinder,
  type Highlight,
  highlight,
} from '../../search/results/match.ts';
import {
  highlightTokenized,
  type LocatedGroups,
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

/** A text of a document that is highlighted. */
interface HighlightedText {
  /** Its name in an answer. */
  readonly name: string;
  readonly text: string;
  /** The field whose terms in the index are those of just this text; null if there is none. */
  readonly field: Field | null;
  wasRead: boolean;
  /** Undefined until it is read again; null if it must be tokenized each time. */
  tokenized: TokenizedText | null | undefined;
}

/** A document with the texts that are highlighted, in the order of an answer. */
export interface ReadableDocument extends ShownDocument {
  readonly language: Language;
  readonly texts: readonly HighlightedText[];
}

function textsOf({ stored: { item }, description }: ShownDocument): HighlightedText[] {
  const textOf = (name: string, text: string, field: Field | null): HighlightedText => {
    return { name, text, field, wasRead: false, tokenized: undefined };
  };
  if (item.type === 'context')
    return [textOf('name', item.name, null), textOf('description', description, null)];
  const { name, tags } = item;
  return [
    textOf('name', name, 'name'),
    ...(tags.length === 0 ? [] : [textOf('tags', tags.join(', '), null)]),
    textOf('description', description, 'body'),
  ];
}

/** Both keys of a document. */
export interface DocumentKeys {
  readonly documentKey: number;
  readonly itemKey: number;
}

/** Reads documents of an organization, by document key. Documents that are gone are left out. */
async function findShownDocuments(
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

const NO_ATTRIBUTES = {};

function shownItem(item: CatalogItem): ShownItem {
  if (item.type === 'context') return item;
  // Leaving the property out of the copy takes four times as long.
  const shown: Offering = { ...item, attributes: NO_ATTRIBUTES };
  return shown;
}

/** The least size of the cache for recently shown documents of all catalogues: about 15,000 offerings. */
const KEPT_BYTES_MIN = 64 * 1024 * 1024;
/** Where indexes may take much memory, the cache takes this share of as much besides. */
const KEPT_SHARE = 1 / 32;
/** A full cache drops this share of its documents at once. */
const DROPPED_SHARE = 1 / 16;
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

interface KeptDocument extends ReadableDocument {
  readonly organizationKey: number;
  readonly generation: number;
  /** A document whose words are numbered by another table is not found. */
  readonly numbering: symbol;
  readonly bytes: number;
  /** Whether it was found since it was kept, or since it was spared. */
  wasFound: boolean;
}

/** The cache size for recently shown documents beside `budgetBytes` for indexes. */
export function shownBytesMax(budgetBytes: number): number {
  return Math.max(KEPT_BYTES_MIN, budgetBytes * KEPT_SHARE);
}

/**
 * A cache of recently shown documents. The oldest ones are dropped first, but those that were found meanwhile
 * are spared once (Corbató, "A paging experiment with the Multics system", 1968).
 */
export class ShownDocuments {
  readonly #db: Database;
  readonly #languageOfShop: LanguageOfShop;
  readonly #bytesMax: number;
  /** By document key, the oldest first. */
  readonly #kept = new Map<number, KeptDocument>();
  #bytes = 0;
  /** Counts calls of `forget`: what was read before one may be outdated after it. */
  #forgotten = 0;

  constructor(db: Database, languageOfShop: LanguageOfShop, bytesMax = KEPT_BYTES_MIN) {
    this.#db = db;
    this.#languageOfShop = languageOfShop;
    this.#bytesMax = bytesMax;
  }

  /**
   * In order; null for a document that is gone. `numbering`: stands for the term table by which their words will
   * be numbered.
   */
  async find(
    organizationKey: number,
    documents: readonly VersionedKeys[],
    numbering: symbol,
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
      const { stored, description } = shown;
      const document = {
        stored,
        description,
        language: this.#languageOfShop(stored.shopKey),
        texts: textsOf(shown),
        organizationKey,
        generation,
        numbering,
        bytes: BYTES_PER_DOCUMENT + JSON.stringify(stored.item).length * BYTES_PER_CHARACTER,
        wasFound: false,
      };
      if (forgotten === this.#forgotten) this.#keep(documentKey, document);
      return document;
    });
  }

  /** Drops documents that have been changed in place. */
  forget(documentKeys: Iterable<number>): void {
    this.#forgotten += 1;
    for (const documentKey of documentKeys) this.#drop(documentKey);
  }

  #find(
    documentKey: number,
    {
      organizationKey,
      generation,
      numbering,
    }: Pick<KeptDocument, 'organizationKey' | 'generation' | 'numbering'>,
  ): KeptDocument | null {
    const kept = this.#kept.get(documentKey);
    if (kept?.numbering !== numbering || kept.generation !== generation) return null;
    if (kept.organizationKey !== organizationKey) return null;
    kept.wasFound = true;
    return kept;
  }

  #keep(documentKey: number, document: KeptDocument): void {
    this.#drop(documentKey);
    this.#kept.set(documentKey, document);
    this.#bytes += document.bytes;
    if (this.#bytes > this.#bytesMax) this.#dropOldest();
  }

  #dropOldest(): void {
    const aimedBytes = this.#bytesMax * (1 - DROPPED_SHARE);
    // Meets those that it spares again at the end.
    for (const [documentKey, document] of this.#kept) {
      if (this.#bytes <= aimedBytes) return;
      this.#drop(documentKey);
      if (!document.wasFound) continue;
      document.wasFound = false;
      this.#kept.set(documentKey, document);
      this.#bytes += document.bytes;
    }
  }

  #drop(documentKey: number): void {
    this.#bytes -= this.#kept.get(documentKey)?.bytes ?? 0;
    this.#kept.delete(documentKey);
  }
}

/**
 * Highlights a question's matches in documents. `table` must be that of the documents' numbering. `present`: the
 * fields that hold each alternative or substitute in the index; texts of other fields are not read. Null: unknown.
 */
export function documentHighlighter(
  groups: readonly TermGroup[],
  table: TermTable,
): (document: ReadableDocument, present: FieldMatches['fieldsOfGroup'] | null) => Highlight[] {
  const groupOf = groupFinder(groups);
  let located: LocatedGroups | null = null;
  const read = (shown: HighlightedText, language: Language) => {
    const { name, text } = shown;
    // Most documents are shown once: numbering the words costs more than reading them.
    if (shown.wasRead && shown.tokenized === undefined)
      shown.tokenized = tokenizeText(text, language, table);
    shown.wasRead = true;
    if (shown.tokenized === null || shown.tokenized === undefined)
      return highlight(name, text, groupOf, language);
    located ??= locateGroups(groups, table);
    return highlightTokenized(name, shown.tokenized, located);
  };
  return ({ language, texts }, present) => {
    const highlights: Highlight[] = [];
    for (const shown of texts) {
      const { field } = shown;
      if (field !== null && present?.some((fields) => fields.includes(field)) === false) continue;
      const found = read(shown, language);
      if (found !== null) highlights.push(found);
    }
    return highlights;
  };
}
