/** Longer lists are compared by a set, which takes longer to make. */
const SHORT_MAX = 8;

/** The distinct values, in the order of their first appearance. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  if (values.length > SHORT_MAX) return [...new Set(values)];
  const found: Value[] = [];
  for (const value of values) if (!found.includes(value)) found.push(value);
  return found;
}
