/** One thing that `vitrine mcp check` tries. */
export interface Step {
  readonly name: string;
  /** How to fix a failure. */
  readonly hint: string;
  /** Resolves with what it found. Throws if the check fails. */
  run(): Promise<string>;
}
