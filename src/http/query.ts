import type { Static, TObject } from 'typebox';
import { AppError } from '../domain/errors.ts';
import { createQueryReader, REQUIRED } from '../schema/query-reader.ts';

/** The values of a query and the names it holds besides. */
export interface ReadQuery<Schema extends TObject> {
  readonly values: Static<Schema>;
  readonly unknown: readonly string[];
}

/**
 * A reader of query strings as `schema` has them. It throws `missing_parameter` or `invalid_input` with
 * every fault at once, in words of ours and without the caller's values.
 */
export function queryReader<Schema extends TObject>(
  schema: Schema,
): (url: URL) => ReadQuery<Schema> {
  const read = createQueryReader(schema);
  return (url) => {
    const given = parsePairs(url.search.slice(1));
    const reading = read(given);
    if ('value' in reading) {
      const unknown = [...given.keys()].filter((name) => !Object.hasOwn(schema.properties, name));
      return { values: reading.value, unknown };
    }
    const { issues } = reading;
    const isMissing = issues.length === 1 && issues[0].message === REQUIRED;
    throw new AppError(
      isMissing ? 'missing_parameter' : 'invalid_input',
      issues.map(({ path, message }) => `Query parameter ${path} ${message}.`).join(' '),
      { issues },
    );
  };
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
