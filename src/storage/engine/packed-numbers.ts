/** Digits per number: enough for any key and any position in a text. */
const WIDTH = 12;
const BLANK = 0x20;
const ZERO = 0x30;

/**
 * Encodes rows of equally many non-negative integers as fixed-width digits, with a JSON list of the
 * position where each row begins (counted from 1, as in SQL). SQL slices numbers from bytes in a
 * third of the time it takes to find them in JSON.
 */
export function packNumbers(
  rows: readonly (readonly number[])[],
): [places: string, digits: Uint8Array] {
  const rowWidth = (rows[0]?.length ?? 0) * WIDTH;
  const digits = new Uint8Array(rows.length * rowWidth).fill(BLANK);
  let end = 0;
  for (const row of rows) {
    for (const number of row) {
      end += WIDTH;
      write(digits, number, end);
    }
  }
  return [JSON.stringify(rows.map((_, at) => at * rowWidth + 1)), digits];
}

/** Writes the digits of a number so that they end before `end`. */
function write(digits: Uint8Array, number: number, end: number): void {
  let rest = number;
  let at = end;
  do {
    const tenth = Math.floor(rest / 10);
    at -= 1;
    digits[at] = ZERO + rest - tenth * 10;
    rest = tenth;
  } while (rest > 0);
}

/**
 * SQL for the number in a column of the row at position `place` of the digits bound as `parameter`.
 */
export function packedNumber(column: number, place: string, parameter: string): string {
  return `CAST(substr(${parameter}, ${place} + ${column * WIDTH}, ${WIDTH}) AS INTEGER)`;
}
