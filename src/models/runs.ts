/**
 * The places of rows that the model reads in one run, for all rows, longest first. A run's rows have one
 * length, so that none is padded, and at most `numbersMax` numbers in all; a longer row has a run to itself.
 */
export function runsOf(rows: readonly (readonly number[])[], numbersMax: number): number[][] {
  const places = [...rows.keys()].sort((a, b) => rows[b]!.length - rows[a]!.length || a - b);
  const runs: number[][] = [];
  for (const place of places) {
    const { length } = rows[place]!;
    const run = runs.at(-1);
    const fits =
      run !== undefined &&
      rows[run[0]!]!.length === length &&
      (run.length + 1) * length <= numbersMax;
    if (fits) run.push(place);
    else runs.push([place]);
  }
  return runs;
}
