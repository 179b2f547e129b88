/** Marks a line that `bun run promises` forwards. */
export const FIGURE_MARK = '→ ';

/** Prints a measurement of a test. */
export function figure(text: string): void {
  process.stderr.write(`${FIGURE_MARK}${text}\n`);
}
