/** What one look at the service found, in the words of `vitrine doctor`. */
export interface Finding {
  /** `warn`: it works, but not as it might, or not for long. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it; null where nothing has to be done. */
  readonly advice: string | null;
}

export function ok(message: string): Finding {
  return { state: 'ok', message, advice: null };
}

export function warn(message: string, advice: string): Finding {
  return { state: 'warn', message, advice };
}

export function fail(message: string, advice: string): Finding {
  return { state: 'fail', message, advice };
}

/** Something that is looked at; a look that throws has found a failure. */
export interface Check<Subject> {
  /** As in the listing: one or two words. */
  readonly name: string;
  look(subject: Subject): Finding | Promise<Finding>;
}
