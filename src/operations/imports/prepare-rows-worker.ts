/** The worker thread that prepares an import's rows while the main thread writes them; a separate entry point. */

import type { CatalogItem } from '../../domain/catalog.ts';
import type { ThreadFailure } from '../indexes/worker-thread.ts';
import { type HandedRows, handOver } from './handed-rows.ts';
import { prepareRows, type RowTarget } from './prepare-rows.ts';
import { StagedIndexBuilder, type StagedRow, type StagedShop } from './staged-index.ts';

export type ToPreparer =
  /** Comes first. `shop`: for whom staged rows are indexed; null: they are not. */
  | { readonly target: RowTarget; readonly shop: StagedShop | null }
  | { readonly block: string }
  /** The rows that were staged of a block, in the order of the blocks. */
  | { readonly staged: string }
  /** A block that was prepared elsewhere, and the rows that were staged of it. */
  | { readonly indexed: string; readonly staged: string }
  | 'finish';

/** One answer for each block and for `finish`, in order. */
export type FromPreparer = HandedRows | { readonly index: ArrayBuffer[] };

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToPreparer>) => void) | null;
  postMessage(message: FromPreparer | ThreadFailure, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

let target: RowTarget;
let builder: StagedIndexBuilder | null = null;
/** The items of the blocks of which it is not known yet which rows were staged. */
const waiting: (readonly CatalogItem[])[] = [];

scope.onmessage = ({ data }) => {
  try {
    take(data);
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
};

function take(message: ToPreparer): void {
  if (message === 'finish') {
    const index = builder?.finish() ?? [];
    scope.postMessage({ index }, index);
  } else if ('target' in message) {
    target = message.target;
    builder = message.shop && new StagedIndexBuilder(message.shop);
  } else if ('block' in message) {
    const { items, ...rows } = prepareRows(message.block, target);
    if (builder !== null) waiting.push(items);
    const { handed, transfer } = handOver(rows);
    scope.postMessage(handed, transfer);
  } else {
    const items =
      'indexed' in message ? prepareRows(message.indexed, target).items : waiting.shift()!;
    builder?.add(items, JSON.parse(message.staged) as StagedRow[]);
  }
}
