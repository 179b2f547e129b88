import { expect, test } from 'bun:test';
import { acceptedLanguage } from '../../src/messages/languages.ts';
import { translatorFor, translatorForShops } from '../../src/messages/translator.ts';

test.each([
  ['', null],
  ['*', null],
  ['pl, ja;q=0.9', null],
  ['de-CH', 'de'],
  ['FR-fr,en;q=0.8', 'fr'],
  ['en;q=0.5, nl;q=0.7', 'nl'],
  ['it, es', 'it'],
  ['pl, es;q=0.1, *;q=0.5', 'es'],
  ['de;q=0, en;q=0.2', 'en'],
  ['de;q=nonsense', null],
])('Accept-Language %p accepts %p', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language as never);
});

test('shops of several languages are answered in English', () => {
  const languageFor = (...locales: string[]) =>
    translatorForShops(locales.map((locale) => ({ locale }))).language;
  expect(languageFor()).toBe('en');
  expect(languageFor('de-DE', 'de-AT')).toBe('de');
  expect(languageFor('de-DE', 'fr')).toBe('en');
  expect(languageFor('pl')).toBe('en');
});

test('numbers follow the locale, and only the locale of a language that is written', () => {
  const numbers = (locale: string) => {
    const { decimal, count } = translatorFor(locale);
    return [decimal('1234.50'), count(12_345)];
  };
  expect(numbers('en')).toEqual(['1234.50', '12,345']);
  expect(numbers('de')).toEqual(['1234,50', '12.345']);
  expect(numbers('de-CH')).toEqual(['1234.50', "12'345"]);
  expect(numbers('pl')).toEqual(numbers('en'));
});
