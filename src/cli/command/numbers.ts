import { InvalidArgumentError } from 'commander';

/** A parser of whole numbers from `least` to `most`, for an option of a command. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return number;
  };
}

/** A parser of decimal numbers from `least` to `most`, for an option of a command. */
export function decimalNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{0,9}(?:\.\d{1,9})?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    return number;
  };
}
