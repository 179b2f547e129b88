import { AppError } from '../../domain/errors.ts';

/** The media type of JSON Lines. */
export const NDJSON = 'application/x-ndjson';

/** One JSON text of a body in JSON Lines. */
export interface JsonLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines that are not blank. Throws `too_large` as soon as there are more than `max`. */
export function jsonLines(body: string, { max, of }: { max: number; of: string }): JsonLine[] {
  const lines: JsonLine[] = [];
  for (let start = 0, line = 1; start < body.length; line++) {
    const end = body.indexOf('\n', start);
    const text = body.slice(start, end < 0 ? body.length : end);
    if (text.trim() !== '') lines.push({ line, text });
    if (lines.length > max) throw tooMany({ max, of });
    start += text.length + 1;
  }
  return lines;
}

export function tooMany({ max, of }: { max: number; of: string }): AppError {
  return new AppError('too_large', `A batch holds at most ${max} ${of}.`);
}
