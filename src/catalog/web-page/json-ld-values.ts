import { parseWebUrl } from '../../domain/web-url.ts';
import { isJsonObject, type JsonObject, spelled } from '../record/json-fields.ts';
import { parseInstant, parseLastMoment } from '../record/values.ts';

export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Whether a price applies at `now`. */
export function isOn(specification: JsonObject, now: number): boolean {
  const from = parseInstant(spelled(specification['validFrom'] ?? ''));
  const until = parseLastMoment(spelled(specification['validThrough'] ?? ''));
  return (from === null || now >= Date.parse(from)) && (until === null || now < until);
}

export function webUrl(value: unknown, base: string | null): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text.startsWith('//')) return parseWebUrl(`https:${text}`);
  const isWhole = /^[a-z][a-z\d+.-]*:/i.test(text);
  return parseWebUrl(isWhole || base === null ? text : (URL.parse(text, base)?.href ?? text));
}

/** The texts of a value: itself, or an object's `preferred` member, value or name. */
export function textsOf(
  value: unknown,
  byId: ReadonlyMap<string, JsonObject>,
  preferred = 'name',
): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((entry) => textsOf(entry, byId, preferred));
  if (!isJsonObject(value)) return [];
  const id = value['@id'];
  const node = typeof id === 'string' ? (byId.get(id) ?? value) : value;
  for (const name of [preferred, '@value', 'value', 'name', 'contentUrl', 'url', '@id']) {
    const text = node[name];
    if (typeof text === 'string' || typeof text === 'number') return [String(text)];
  }
  return [];
}
