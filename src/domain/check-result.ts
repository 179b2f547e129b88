/** The result of one check of the service, as `vitrine doctor` prints it. */
export interface CheckResult {
  /** `warn`: it works, but not as well as it could, or not for much longer. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What the operator should do; null if nothing. */
  readonly advice: string | null;
}

export function ok(message: string): CheckResult {
  return { state: 'ok', message, advice: null };
}

export function warn(message: string, advice: string): CheckResult {
  return { state: 'warn', message, advice };
}

export function fail(message: string, advice: string): CheckResult {
  return { state: 'fail', message, advice };
}

/** One check of the service; a check that throws has failed. */
export interface Check<Subject> {
  /** One or two words, shown in the listing. */
  readonly name: string;
  look(subject: Subject): CheckResult | Promise<CheckResult>;
}
