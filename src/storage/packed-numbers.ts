/** Digits of a number: any key of ours, and any place in a text. */
const WIDTH = 12;

/**
 * Rows of whole numbers as digits of a fixed width, each row with the place of its first digit (as
 * SQL counts, the first is 1) in a list of JSON. SQL cuts numbers out of bytes in a third of the time
 * that it takes to find them in JSON.
 */
export function packNumbers(
  rows: readonly (readonly number[])[],
): [places: string, digits: Uint8Array] {
  let digits = '';
  const places: number[] = [];
  for (const row of rows) {
    places.push(digits.length + 1);
    for (const number of row) digits += String(number).padStart(WIDTH);
  }
  return [JSON.stringify(places), new TextEncoder().encode(digits)];
}

/** SQL for the number in a column of the row at `place`, of the digits bound as `parameter`. */
export function packedNumber(column: number, place: string, parameter: string): string {
  return `CAST(substr(${parameter}, ${place} + ${column * WIDTH}, ${WIDTH}) AS INTEGER)`;
}
