/** Languages that answers are written in. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language for a locale; English for one without a catalogue. `locale`: BCP 47. */
export function languageOf(locale: string): Language {
  return knownLanguage(locale) ?? 'en';
}

/**
 * The language that an `Accept-Language` header likes best (RFC 9110, 12.5.4), the first of equals.
 * Null if it names none of ours: `*` names none.
 */
export function acceptedLanguage(header: string): Language | null {
  let best: Language | null = null;
  let bestQuality = 0;
  for (const range of header.split(',')) {
    const [locale, ...parameters] = range.split(';').map((part) => part.trim());
    const language = knownLanguage(locale!);
    const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
    if (language === null || !(Number(quality) > bestQuality)) continue;
    best = language;
    bestQuality = Number(quality);
  }
  return best;
}

function knownLanguage(locale: string): Language | null {
  const primary = locale.split('-', 1)[0]!.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
