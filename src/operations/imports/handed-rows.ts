import type { PreparedRows } from './prepare-rows.ts';

/** Prepared rows on their way between threads: objects as JSON, because structured cloning takes three times as long. */
export interface HandedRows extends Pick<PreparedRows, 'texts' | 'places'> {
  readonly rows: string;
}

/** `transfer`: what the other thread takes over. */
export function handOver({ texts, places, rows, faults }: PreparedRows): {
  handed: HandedRows;
  transfer: ArrayBuffer[];
} {
  const handed = { rows: JSON.stringify({ rows, faults }), texts, places };
  return { handed, transfer: [texts.buffer, places.buffer] };
}

export function takeOver({ rows, texts, places }: HandedRows): PreparedRows {
  return { ...(JSON.parse(rows) as Pick<PreparedRows, 'rows' | 'faults'>), texts, places };
}
