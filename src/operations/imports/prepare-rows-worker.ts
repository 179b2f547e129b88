/** The worker thread that prepares an import's rows while the main thread writes them; a separate entry point. */
import type { ThreadFailure } from '../indexes/worker-thread.ts';
import { type HandedRows, handOver } from './handed-rows.ts';
import { prepareRows, type RowTarget } from './prepare-rows.ts';
import {
  type RowAnalysis,
  StagedIndexBuilder,
  type StagedRow,
  type StagedShop,
} from './staged-index.ts';

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
/** The analyses of the blocks of which it is not known yet which rows were staged. */
const waiting: (readonly RowAnalysis[])[] = [];

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
    const { analyses, ...rows } = prepareRows(message.block, target);
    if (builder !== null) waiting.push(analyses);
    const { handed, transfer } = handOver(rows);
    scope.postMessage(handed, transfer);
  } else {
    const analyses =
      'indexed' in message ? prepareRows(message.indexed, target).analyses : waiting.shift()!;
    builder?.add(analyses, JSON.parse(message.staged) as StagedRow[]);
  }
}
