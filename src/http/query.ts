import type { Static, TObject, TSchema } from 'typebox';
import { AppError, type Issue } from '../domain/errors.ts';
import { codePointCount, isForbiddenText } from '../domain/text.ts';

interface QuerySchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** The values of a query and the names it holds besides. */
export interface ReadQuery<Schema extends TObject> {
  readonly values: Static<Schema>;
  readonly unknown: readonly string[];
}

/**
 * A query string as `schema` has it: numbers and booleans from their spellings, a repeated name only
 * where the schema has an array (values are never split), defaults filled in, text trimmed. Throws
 * `missing_parameter` or `invalid_input` with every fault at once, in words of ours and without the
 * caller's values.
 */
export function readQuery<Schema extends TObject>(schema: Schema, url: URL): ReadQuery<Schema> {
  const given = parsePairs(url.search.slice(1));
  const issues: Issue[] = [];
  const values: Record<string, unknown> = {};
  let isMissing = false;
  for (const [name, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const texts = given.get(name) ?? [];
    const required =
      (schema.required as string[] | undefined)?.includes(name) === true &&
      !('default' in property);
    const outcome = readValue(texts, property as QuerySchema, required);
    if ('issue' in outcome) {
      issues.push({ path: name, message: outcome.issue });
      isMissing ||= outcome.issue === REQUIRED;
    } else if (outcome.value !== undefined) values[name] = outcome.value;
  }
  const [first] = issues;
  if (first !== undefined) {
    const onlyMissing = isMissing && issues.length === 1;
    throw new AppError(
      onlyMissing ? 'missing_parameter' : 'invalid_input',
      issues.map(({ path, message }) => `Query parameter ${path} ${message}.`).join(' '),
      { issues },
    );
  }
  const unknown = [...given.keys()].filter((name) => !(name in schema.properties));
  return { values: values as Static<Schema>, unknown };
}

const REQUIRED = 'is required';
const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  false: false,
  '0': false,
};

type Outcome = { readonly value: unknown } | { readonly issue: string };

function readValue(texts: readonly string[], schema: QuerySchema, required: boolean): Outcome {
  if (texts.some(isForbiddenText)) return { issue: 'holds a character that is not allowed' };
  if (schema.type === 'array') {
    const many = texts.length > (schema.maxItems ?? Number.POSITIVE_INFINITY);
    return many ? { issue: `may be given at most ${schema.maxItems} times` } : { value: texts };
  }
  const [text, second] = texts;
  if (second !== undefined) return { issue: 'may be given only once' };
  const trimmed = text?.trim() ?? '';
  if (text === undefined || (required && trimmed === ''))
    return required ? { issue: REQUIRED } : { value: schema.default };
  if (schema.type === 'boolean') {
    const value = BOOLEANS[trimmed.toLowerCase()];
    return value === undefined ? { issue: 'must be true, false, 1 or 0' } : { value };
  }
  if (schema.type === 'integer') return readInteger(trimmed, schema);
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  return codePointCount(trimmed) > maxLength
    ? { issue: `is longer than ${maxLength} characters` }
    : { value: trimmed };
}

function readInteger(
  text: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: QuerySchema,
): Outcome {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  const isInside = value >= minimum && value <= maximum;
  return isInside ? { value } : { issue: `must be a whole number from ${minimum} to ${maximum}` };
}

/** Name–value pairs in order. Throws `invalid_input` for escapes that are not UTF-8. */
function parsePairs(search: string): Map<string, string[]> {
  const pairs = new Map<string, string[]>();
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const values = pairs.get(name);
    if (values === undefined) pairs.set(name, [value]);
    else values.push(value);
  }
  return pairs;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new AppError('invalid_input', 'The query string is not valid UTF-8.', {
      issues: [{ path: '', message: 'is not valid UTF-8' }],
      cause,
    });
  }
}
