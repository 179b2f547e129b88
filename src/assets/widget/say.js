/**
 * A key of the widget's messages.
 *
 * @typedef {import('../../messages/wording.ts').MessageKey extends infer Key ? Key extends `widget.${infer Name}` ? Name : never : never} Name
 */

/** @type {Record<string, string | { one: string, other: string }>} */
const messages = JSON.parse(document.getElementById('messages')?.textContent ?? '{}');

const plurals = new Intl.PluralRules(document.documentElement.lang);

/**
 * A message in the shop's language.
 *
 * @template {Name} Key
 * @param {Key} key
 * @param {keyof import('../../messages/wording.ts').Values<`widget.${Key}`> extends never ? [] : [import('../../messages/wording.ts').Values<`widget.${Key}`>]} values
 */
export function say(key, ...values) {
  /** @type {Record<string, string | number>} */
  const given = values[0] ?? {};
  const wording = messages[key] ?? '';
  const isOne = plurals.select(Number(given['count'])) === 'one';
  const template = typeof wording === 'string' ? wording : isOne ? wording.one : wording.other;
  return template.replace(/\{(\w+)\}/g, (_, name) => String(given[name]));
}
