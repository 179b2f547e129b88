import { ByteBuffer } from '../../collections/byte-buffer.ts';
import type { StagedItem, StagedTexts, Staging } from './staged-items.ts';

/** Separates the parts of encoded rows: JSON contains no such character. */
export const PART_SEPARATOR = '\u001e';

/** Rows as text that SQLite has made: this takes a fourth of the time of reading and encoding them. */
export interface EncodedRows {
  /**
   * UTF-8, two parts for each row: a JSON array of key, item key, id, shop key, generation and passage, then the
   * body as it is stored. The body is empty if the row before has the same item.
   */
  readonly content: ArrayBuffer;
  /** The keys of their shops, separated by commas. */
  readonly shopKeys: string;
}

/** Encodes the rows of documents that an import has staged as SQLite encodes stored ones. */
export class StagedRowsEncoder {
  readonly #staging: Pick<Staging, 'shopKey' | 'generation'>;
  readonly #content = new ByteBuffer();

  constructor(staging: Pick<Staging, 'shopKey' | 'generation'>) {
    this.#staging = staging;
  }

  /** In bytes. */
  get length(): number {
    return this.#content.length;
  }

  add({ key, id, documents, placesAt }: StagedItem, { texts, places }: StagedTexts): void {
    const { shopKey, generation } = this.#staging;
    const start = places[placesAt]! - 1;
    const body = texts.subarray(start, start + places[placesAt + 1]!);
    for (const [place, { key: documentKey, passage }] of documents.entries()) {
      const row = JSON.stringify([documentKey, key, id, shopKey, generation, passage]);
      const separator = this.length > 0 ? PART_SEPARATOR : '';
      this.#content.addText(`${separator}${row}${PART_SEPARATOR}`);
      if (place === 0) this.#content.addBytes(body);
    }
  }

  /** What was added since the last time. */
  take(): EncodedRows {
    const content = this.#content.view().slice().buffer;
    this.#content.clear();
    return { content, shopKeys: String(this.#staging.shopKey) };
  }
}
