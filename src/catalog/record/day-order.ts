/** Dates as people write them: `7/26/19, 8:21 AM`, `26.07.2019`, `2019-07-26 00:00:00`. */
const WRITTEN = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:,?\s+(.*))?$/;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/;

/**
 * Reads the days of a file whose language is unknown. Whether the day or the month comes first is learned
 * from the dates seen: a number above 12, AM or PM (month first), or points (day first).
 */
export class DayOrder {
  #order: 'day' | 'month' | null = null;

  see(text: string): void {
    if (this.#order !== null) return;
    const [, first = '', separator, second = '', , time = ''] = WRITTEN.exec(text.trim()) ?? [];
    if (first === '') return;
    if (separator === '.' || Number(first) > 12) this.#order = 'day';
    else if (Number(second) > 12 || /[AP]M$/i.test(time)) this.#order = 'month';
  }

  /** The day as `2019-07-26`, without its time; the text unchanged if it is no date or ambiguous. */
  day(text: string): string {
    const iso = ISO.exec(text.trim())?.[1];
    if (iso !== undefined) return iso;
    const [, first = '', , second = '', year = ''] = WRITTEN.exec(text.trim()) ?? [];
    if (first === '' || this.#order === null) return text;
    const [day, month] = this.#order === 'day' ? [first, second] : [second, first];
    const century = year.length === 2 ? '20' : '';
    return `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  }
}
