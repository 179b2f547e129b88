/**
 * Harman's S-stemmer (1991): it removes plural endings and nothing else, so that different things
 * keep different terms. Words with digits and words of up to three letters are not stemmed. Unlike
 * Harman's, it also matches `hoodie` with `hoodies` and `pie` with `pies`.
 */
export function singularOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ie')) return `${word.slice(0, -2)}y`;
  if (!word.endsWith('s')) return word;
  if (word.length > 4 && /[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (word.endsWith('ies')) return word.slice(0, -1);
  if (/(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('es') && !/[aeo]es$/.test(word)) return word.slice(0, -1);
  return /(?:us|ss|is|[aeo]es)$/.test(word) && !/(?:ees|oes)$/.test(word)
    ? word
    : word.slice(0, -1);
}
