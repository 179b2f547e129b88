import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import type { LanguageWords, Stemmer } from '../languages/language-words.ts';
import { fold } from './fold.ts';
import { phrasesIn, wordsIn } from './phrases.ts';
import { singularOf } from './singular.ts';

/** The Snowball stemmers (Porter, 2001). */
const SNOWBALL: Readonly<Record<Stemmer, (word: string) => string>> = {
  da: danish,
  de: german,
  es: spanish,
  fi: finnish,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ru: russian,
  sv: swedish,
};

/** A stem of fewer letters is used only if a single letter was taken away. */
const STEM_LENGTH_MIN = 3;

/** An umlaut written out, but not the two vowels of `neue` or `Quelle`. */
const TRANSCRIBED = /(?<![aeiouq])([aou])e/g;

/**
 * Reduces the folded words of a language to stems. Stop words stay whole, and no stem is one: the `woll` of
 * `Wolle` is not that of `wollen`, and the stem of `Kanne` is not `kann`.
 */
export function stemmerOf({ analysis, question }: LanguageWords): (word: string) => string {
  const { stemmer, isTranscribed } = analysis;
  if (stemmer === 'plural') return singularOf;
  const stopWords = new Set(wordsIn(question.stopWords).map(fold));
  const unstemmed = wordsIn(analysis.unstemmed).map(fold);
  const ending = replacerOf(analysis.endings);
  const stemEnding = replacerOf(analysis.stemEndings);
  const snowball = stemmer === null ? null : SNOWBALL[stemmer];
  return (word) => {
    if (/\d/.test(word) || stopWords.has(word)) return word;
    const plain = isTranscribed ? word.replace(TRANSCRIBED, '$1') : word;
    if (unstemmed.some((end) => plain.endsWith(end))) return plain;
    const whole = ending(plain);
    const stem = snowball === null ? whole : snowball(whole);
    const isLong = stem.length >= STEM_LENGTH_MIN || stem.length >= whole.length - 1;
    const reduced = stemEnding(isLong ? stem : whole);
    return stopWords.has(reduced) ? `${reduced}e` : reduced;
  };
}

/** Replaces the longest ending that fits and leaves two letters or more. */
function replacerOf(replacements: string): (word: string) => string {
  const pairs = phrasesIn(replacements)
    .map((pair) => pair.split(' ') as [string, string])
    .sort(([one], [other]) => other.length - one.length);
  return (word) => {
    for (const [ending, other] of pairs)
      if (word.length >= ending.length + 2 && word.endsWith(ending))
        return word.slice(0, -ending.length) + (other === '-' ? '' : other);
    return word;
  };
}
