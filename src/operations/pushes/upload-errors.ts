import { ErrorsCsv } from '../../catalog/errors-csv.ts';
import type { Fault } from '../../catalog/record/reader.ts';
import { deleteOldImportErrors, insertImportErrors } from '../../storage/catalog/import-errors.ts';
import type { Database } from '../../storage/engine/database.ts';

/** Characters written at once. */
const PART_LENGTH = 64 * 1024;

/** Characters of an errors file that are kept: beyond it, a file is wrong as a whole. */
const LENGTH_MAX = 10 * 1024 * 1024;

/** Of a record that its owner keeps from the public: there is nothing to correct. */
const NOT_PUBLISHED = 'not_published';

/** Writes the errors file of an import to the database, part by part. */
export class UploadErrors {
  readonly #db: Database;
  readonly #importId: string;
  readonly #csv = new ErrorsCsv();
  #text = '';
  #length = 0;
  #parts = 0;

  constructor(db: Database, importId: string) {
    this.#db = db;
    this.#importId = importId;
  }

  /** Faults beyond the size limit are counted by the import and left out of the file. */
  add(fault: Fault): void {
    if (fault.code === NOT_PUBLISHED || this.#length > LENGTH_MAX) return;
    this.#append(this.#csv.add(fault));
  }

  /** Writes what is due. */
  async flush(): Promise<void> {
    if (this.#text.length >= PART_LENGTH) await this.#write();
  }

  /** Writes the rest, and forgets the files of the shop's older imports. */
  async end(shopKey: number): Promise<void> {
    this.#append(this.#csv.end());
    if (this.#text !== '') await this.#write();
    await this.#db.stage([deleteOldImportErrors(shopKey)]);
  }

  #append(text: string): void {
    this.#text += text;
    this.#length += text.length;
  }

  async #write(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#db.stage([insertImportErrors(this.#importId, this.#parts++, text)]);
  }
}
