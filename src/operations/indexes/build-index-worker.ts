/** The worker thread that builds an index from stored rows; a separate entry point. */
import type { CatalogItem } from '../../domain/catalog.ts';
import { packedBuffers } from '../../search/index/packing.ts';
import { languageOf } from '../../search/text/language.ts';
import type { StoredRow } from '../../storage/catalog/searchable-rows.ts';
import { IndexPartsBuilder, packParts } from './index-parts.ts';
import { runAtOnce } from './slices.ts';
import type { ThreadFailure } from './worker-thread.ts';

export type ToIndexThread =
  /**
   * Rows in key order, as JSON, because structured cloning takes three times as long. `languages`: the
   * code of each shop's language, by shop key.
   */
  { readonly rows: string; readonly languages: Readonly<Record<number, string>> } | 'finish';

/** One answer for each message, in order. */
export type FromIndexThread =
  /** The bodies that are not JSON; their documents are left out. */
  { readonly damaged: readonly string[] } | { readonly index: ArrayBuffer[] };

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToIndexThread>) => void) | null;
  postMessage(message: FromIndexThread | ThreadFailure, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

let languages: Readonly<Record<number, string>> = {};
const builder = new IndexPartsBuilder({
  languageOfShop: (shopKey) => languageOf(languages[shopKey]!),
  dimensions: null,
});

scope.onmessage = ({ data }) => {
  try {
    if (data === 'finish') {
      const index = packedBuffers((to) => packParts(runAtOnce(builder.finish()), to));
      scope.postMessage({ index }, index);
      return;
    }
    languages = data.languages;
    scope.postMessage({ damaged: add(JSON.parse(data.rows) as StoredRow[]) });
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
};

function add(rows: readonly StoredRow[]): string[] {
  const damaged: string[] = [];
  let item: CatalogItem | null = null;
  for (const { body, ...row } of rows) {
    if (body !== null) {
      item = parseItem(body);
      if (item === null) damaged.push(body);
    }
    if (item !== null) builder.add({ ...row, item, vector: null });
  }
  return damaged;
}

function parseItem(body: string): CatalogItem | null {
  try {
    return JSON.parse(body) as CatalogItem | null;
  } catch {
    return null;
  }
}
