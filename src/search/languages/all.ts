import { CZECH } from './cs.ts';
import { DANISH } from './da.ts';
import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FINNISH } from './fi.ts';
import { FRENCH } from './fr.ts';
import { ITALIAN } from './it.ts';
import { JAPANESE } from './ja.ts';
import type { LanguageWords } from './language-words.ts';
import { DUTCH } from './nl.ts';
import { NORWEGIAN } from './no.ts';
import { POLISH } from './pl.ts';
import { PORTUGUESE } from './pt.ts';
import { RUSSIAN } from './ru.ts';
import { SWEDISH } from './sv.ts';
import { THAI } from './th.ts';
import { TURKISH } from './tr.ts';
import { CHINESE } from './zh.ts';

/** The languages that are known. */
export const ALL_WORDS: readonly LanguageWords[] = [
  ...[ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH],
  ...[PORTUGUESE, POLISH, SWEDISH, DANISH, NORWEGIAN, FINNISH, RUSSIAN, TURKISH],
  ...[CZECH],
  ...[JAPANESE, CHINESE, THAI],
];
