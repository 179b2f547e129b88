/** One thing that `vitrine mcp check` tries. */
export interface Step {
  readonly name: string;
  /** How to fix a failure. */
  readonly hint: string;
  /** Resolves with what it found. Throws if the check fails: a `StepFault` if it knows a better `hint`. */
  run(): Promise<string>;
}

/** A failure that knows better than its step how to fix it. */
export class StepFault extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
