/** A worker thread that builds parts of an index from stored rows, and joins them; a separate entry point. */
import { isUtf8 } from 'node:buffer';
import type { CatalogItem } from '../../domain/catalog.ts';
import { collectGarbage, collectYoungGarbage, releaseMemory } from '../../garbage.ts';
import { packedBuffers, Unpacking } from '../../search/index/packing.ts';
import { languageOf } from '../../search/text/language.ts';
import { PART_SEPARATOR } from '../../storage/catalog/encoded-rows.ts';
import { lowerThreadPriority } from '../../thread-priority.ts';
import { IndexPartsBuilder, joinPacked, packParts } from './index-parts.ts';
import { runAtOnce } from './slices.ts';
import type { ThreadFailure } from './worker-thread.ts';

export type ToIndexThread =
  /** `EncodedRows` in key order, and the code of each shop's language, by shop key. */
  | { readonly rows: ArrayBuffer; readonly languages: Readonly<Record<number, string>> }
  /** Ends a part: the index of the rows since the one before. */
  | 'part'
  /** Packed parts whose documents follow one another. */
  | { readonly parts: readonly (readonly ArrayBuffer[])[] };

/** One answer for each message, in order. */
export type FromIndexThread =
  /** The bodies that are not JSON; their documents are left out. One is empty if a text is not UTF-8. */
  | { readonly damaged: readonly string[] }
  /** Of a part, or of all parts. */
  | { readonly index: ArrayBuffer[] };

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToIndexThread>) => void) | null;
  postMessage(message: FromIndexThread | ThreadFailure, transfer?: Transferable[]): void;
}

/** Rows between two garbage collections: some 50 MB of garbage, of which those of young garbage leave little. */
const ROWS_PER_COLLECTION = 8192;
const ROWS_PER_YOUNG_COLLECTION = 1536;

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

const scope = globalThis as unknown as WorkerScope;

/** Gets a third of the time that a thread of usual priority gets beside it. Alone it loses nothing. */
const BUILDING_NICENESS = 5;

lowerThreadPriority(BUILDING_NICENESS);

let rowsSinceCollection = 0;
let rowsSinceYoungCollection = 0;
let languages: Readonly<Record<number, string>> = {};
let builder = newBuilder();

scope.onmessage = ({ data }) => {
  try {
    if (data === 'part') postIndex(finishPart());
    else if ('parts' in data) postIndex(join(data.parts));
    else {
      languages = data.languages;
      scope.postMessage({ damaged: add(data.rows) });
      collectNowAndThen();
    }
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
};

function collectNowAndThen(): void {
  if (rowsSinceCollection >= ROWS_PER_COLLECTION) {
    collectGarbage();
    rowsSinceCollection = 0;
    rowsSinceYoungCollection = 0;
  } else if (rowsSinceYoungCollection >= ROWS_PER_YOUNG_COLLECTION) {
    collectYoungGarbage();
    rowsSinceYoungCollection = 0;
  }
}

function newBuilder(): IndexPartsBuilder {
  const languageOfShop = (shopKey: number) => languageOf(languages[shopKey]!);
  return new IndexPartsBuilder({ languageOfShop, dimensions: null });
}

function postIndex(index: ArrayBuffer[]): void {
  scope.postMessage({ index }, index);
}

function finishPart(): ArrayBuffer[] {
  // Before the postings are copied into their order.
  releaseMemory();
  const index = packedBuffers((to) => packParts(runAtOnce(builder.finish()), to));
  builder = newBuilder();
  return index;
}

function join(parts: readonly (readonly ArrayBuffer[])[]): ArrayBuffer[] {
  const packed = parts.map((buffers) => new Unpacking(buffers));
  return packedBuffers((to) => {
    for (const _ of joinPacked(packed, to)) releaseMemory();
  });
}

type Row = readonly [
  documentKey: number,
  itemKey: number,
  id: string,
  shopKey: number,
  generation: number,
  passage: string | null,
];

function add(bytes: ArrayBuffer): string[] {
  const damaged: string[] = [];
  const parts = textOf(bytes, damaged).split(PART_SEPARATOR);
  let item: CatalogItem | null = null;
  let itemKeyBefore = Number.NaN;
  let at = 0;
  while (at < parts.length) {
    const row = parse<Row>(parts[at]!);
    if (!Array.isArray(row)) {
      // A damaged body may contain a separator. This is its rest.
      damaged.push(parts[at]!);
      at += 1;
      continue;
    }
    const [documentKey, itemKey, id, shopKey, generation, passage] = row;
    const body = parts[at + 1] ?? '';
    at += 2;
    if (body !== '' || itemKey !== itemKeyBefore) {
      item = parse<CatalogItem>(body);
      if (item === null) damaged.push(body);
    }
    itemKeyBefore = itemKey;
    const keys = { documentKey, itemKey, id, shopKey, generation };
    if (item !== null) builder.add({ ...keys, passage, item, vector: null });
    rowsSinceCollection += 1;
    rowsSinceYoungCollection += 1;
  }
  return damaged;
}

function textOf(bytes: ArrayBuffer, damaged: string[]): string {
  const text = lenient.decode(bytes);
  // A text may contain U+FFFD; whether this one replaces damaged bytes, only the second reading tells.
  if (text.includes('\u{fffd}') && !isUtf8(new Uint8Array(bytes))) damaged.push('');
  bytes.transfer(0);
  return text;
}

function parse<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value | null;
  } catch {
    return null;
  }
}
