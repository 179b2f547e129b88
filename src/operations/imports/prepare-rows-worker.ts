/** The worker thread that prepares an import's rows while the main thread writes them; a separate entry point. */
import type { ThreadFailure } from '../indexes/worker-thread.ts';
import { type HandedRows, handOver } from './handed-rows.ts';
import { prepareRows, type RowTarget } from './prepare-rows.ts';

/** The target comes first, then blocks. */
export type ToPreparer = { readonly target: RowTarget } | string;

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToPreparer>) => void) | null;
  /** One answer for each block, in order. */
  postMessage(message: HandedRows | ThreadFailure, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

let target: RowTarget;

scope.onmessage = ({ data }) => {
  try {
    if (typeof data === 'string') prepare(data);
    else target = data.target;
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
};

function prepare(block: string): void {
  const { handed, transfer } = handOver(prepareRows(block, target));
  scope.postMessage(handed, transfer);
}
