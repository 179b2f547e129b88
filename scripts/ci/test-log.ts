/** What `bun test` printed about one test file. */
export interface FileOutcome {
  readonly passed: number;
  readonly skipped: number;
  /** Names of the tests that failed, and `FILE_ITSELF` for a failure outside of any test. */
  readonly failed: readonly string[];
}

export type Outcomes = ReadonlyMap<string, FileOutcome>;

/** Stands for a file that could not be loaded, or whose process crashed. */
export const FILE_ITSELF = '(the file itself)';

const FILE = /^(\S+\.test\.ts):$/;
/** Repeats names after the last file. */
const SUMMARY = /^\d+ tests? (?:failed|skipped):$/;
const TEST = /^\((pass|skip|fail)\) (.*?)(?: \[[\d.]+m?s\])?$/s;
const OUTSIDE_OF_TESTS = /^(?:# Unhandled error|✗ )/;

/** Reads the output of `bun test` without colours. Files that run in parallel may take turns in it. */
export function readTestLog(log: string): Outcomes {
  const outcomes = new Map<string, { passed: number; skipped: number; failed: string[] }>();
  let name: string | null = null;
  for (const line of log.split('\n')) {
    name = FILE.exec(line)?.[1] ?? (SUMMARY.test(line) ? null : name);
    if (name === null) continue;
    const outcome = outcomes.get(name) ?? { passed: 0, skipped: 0, failed: [] };
    outcomes.set(name, outcome);
    const [, state, test] = TEST.exec(line) ?? [];
    if (state === 'pass') outcome.passed += 1;
    else if (state === 'skip') outcome.skipped += 1;
    else if (state === 'fail') outcome.failed.push(test!);
    else if (OUTSIDE_OF_TESTS.test(line)) outcome.failed.push(FILE_ITSELF);
  }
  return outcomes;
}

export function failedFiles(outcomes: Outcomes): string[] {
  return [...outcomes].filter(([, { failed }]) => failed.length > 0).map(([file]) => file);
}

/** `file: test` of each test that failed at first and not when it was repeated. */
export function passedWhenRepeated(first: Outcomes, repeated: Outcomes): string[] {
  return failedFiles(first).flatMap((file) => {
    const { failed: still = [FILE_ITSELF] } = repeated.get(file) ?? {};
    if (still.includes(FILE_ITSELF)) return [];
    const recovered = first.get(file)!.failed.filter((test) => !still.includes(test));
    return recovered.map((test) => `${file}: ${test}`);
  });
}

/** In the form of `bun test`: a repeated file counts as it went the second time. */
export function summaryOf(first: Outcomes, repeated: Outcomes): string {
  const final = [...new Map([...first, ...repeated]).values()];
  const sum = (count: (outcome: FileOutcome) => number) =>
    final.reduce((total, outcome) => total + count(outcome), 0);
  return [
    ` ${sum(({ passed }) => passed)} pass`,
    ` ${sum(({ skipped }) => skipped)} skip`,
    ` ${sum(({ failed }) => failed.length)} fail`,
  ].join('\n');
}
