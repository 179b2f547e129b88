/** Marks a line that `bun run promises` passes on. */
export const FIGURE_MARK = '→ ';

/** Says what a test has measured. */
export function figure(text: string): void {
  process.stderr.write(`${FIGURE_MARK}${text}\n`);
}
