/** The worker thread that prepares an import's rows while the main thread writes them; a separate entry point. */
import { type PreparedRows, prepareRows } from './prepare-rows.ts';

export interface ToPreparer {
  readonly block: string;
  readonly shopId: string;
}

/** One answer per message, in order. */
export type FromPreparer = HandedRows | { readonly failure: string };

/** Objects pass between threads as JSON, because structured cloning takes three times as long. */
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
