/** The phrases of a list that is separated by commas. */
export function phrasesIn(phrases: string): string[] {
  return phrases
    .split(',')
    .map((phrase) => phrase.trim().replace(/\s+/g, ' '))
    .filter((phrase) => phrase !== '');
}

/** The words of a list that is separated by blanks. */
export function wordsIn(words: string): string[] {
  return words.split(/\s+/).filter((word) => word !== '');
}

/**
 * The source of a regular expression that matches any of these words and phrases, the longest first. A blank
 * stands for any blanks, an apostrophe for a curly one too. Matches nothing if there are none.
 */
export function anyOf(phrases: readonly string[]): string {
  const longestFirst = phrases.toSorted((one, other) => other.length - one.length);
  return longestFirst.length === 0 ? '(?!)' : longestFirst.map(patternOf).join('|');
}

/** As `anyOf`, for a list that is separated by commas. */
export function anyIn(phrases: string): string {
  return anyOf(phrasesIn(phrases));
}

function patternOf(phrase: string): string {
  return phrase
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replace(/ +/g, '\\s+')
    .replace(/'/g, "['’]");
}
