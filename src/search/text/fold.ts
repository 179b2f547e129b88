/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ø: 'o', ı: 'i', ς: 'σ', ł: 'l', đ: 'd', œ: 'oe', æ: 'ae' },
};

/** Lower case without diacritics, ligatures and full-width forms: `"Straße"` → `"strasse"`. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('и\u0306', 'й')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[ßøıςłđœæ]/g, (letter) => LETTERS[letter]!);
}
