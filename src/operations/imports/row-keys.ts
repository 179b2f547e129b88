/**
 * The keys of staged items and documents. One counter for all shops, because imports and pushes of
 * different shops are staged at the same time.
 */
export class RowKeys {
  #item = 0;
  #document = 0;

  /** Begins above keys that are in use. */
  raise({
    itemKey,
    documentKey,
  }: {
    readonly itemKey: number;
    readonly documentKey: number;
  }): void {
    this.#item = Math.max(this.#item, itemKey);
    this.#document = Math.max(this.#document, documentKey);
  }

  nextItem(): number {
    return ++this.#item;
  }

  nextDocument(): number {
    return ++this.#document;
  }
}
