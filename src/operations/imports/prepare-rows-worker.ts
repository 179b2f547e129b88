/** The thread that prepares rows of an import beside the one that writes them: an entry point of its own. */
import { type PreparedRows, prepareRows } from './prepare-rows.ts';

export interface ToPreparer {
  readonly block: string;
  readonly shopId: string;
}

/** One answer to each message, in their order. */
export type FromPreparer = HandedRows | { readonly failure: string };

/** Objects go between threads as JSON: to clone them takes three times as long. */
interface HandedRows {
  readonly rows: string;
  readonly texts: PreparedRows['texts'];
}

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToPreparer>) => void) | null;
  postMessage(message: FromPreparer, transfer?: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { block, shopId } }) => {
  try {
    const { texts, ...rows } = prepareRows(block, shopId);
    scope.postMessage({ rows: JSON.stringify(rows), texts }, [texts.buffer]);
  } catch (error) {
    scope.postMessage({ failure: String(error) });
  }
};
