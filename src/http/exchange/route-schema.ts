import type { Static, TObject } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { createQueryReader, REQUIRED } from '../../schema/query-reader.ts';

/**
 * A TypeBox schema for a route's options, as a Standard Schema, because Elysia 1.4 supports only
 * TypeBox before 1.0. `validate` throws our own error, so nothing needs to translate it.
 */
export interface RouteSchema<Input, Output> {
  readonly schema: TObject;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'vitrine';
    readonly types?: { readonly input: Input; readonly output: Output };
    validate(value: unknown): { readonly value: Output };
  };
}

/**
 * The query schema of a route. It validates the raw query string, which admission stores as
 * Elysia's `query`. Elysia's own parser splits values at commas, parses JSON and accepts invalid
 * UTF-8.
 */
export function queryOf<Schema extends TObject>(
  schema: Schema,
): RouteSchema<string, ReadQuery<Schema>> {
  const read = queryReader(schema);
  let empty: ReadQuery<Schema> | null = null;
  return standard(schema, (search) => {
    if (search !== '') return read(search as string);
    // Throws each time where a parameter is required.
    empty ??= read('');
    return empty;
  });
}

/** The path parameters of a route. An escape that is not UTF-8 counts as an empty value. */
export function paramsOf<Schema extends TObject>(
  schema: Schema,
): RouteSchema<Record<string, string>, Record<keyof Schema['properties'] & string, string>> {
  const names = Object.keys(schema.properties) as (keyof Schema['properties'] & string)[];
  return standard(schema, (given) => {
    const params = given as Record<(typeof names)[number], string>;
    for (const name of names) params[name] ??= '';
    return params;
  });
}

function standard<Input, Output>(
  schema: TObject,
  read: (value: unknown) => Output,
): RouteSchema<Input, Output> {
  const validate = (value: unknown) => ({ value: read(value) });
  return { schema, '~standard': { version: 1, vendor: 'vitrine', validate } };
}

/** The values of a query, and the names that the schema does not know. */
export interface ReadQuery<Schema extends TObject> {
  readonly values: Static<Schema>;
  readonly unknown: readonly string[];
}

/**
 * A reader of query strings (without the question mark), driven by `schema`. It throws
 * `missing_parameter` or `invalid_input` with every fault at once, in our own words and without the
 * caller's values.
 */
function queryReader<Schema extends TObject>(
  schema: Schema,
): (search: string) => ReadQuery<Schema> {
  const read = createQueryReader(schema);
  return (search) => {
    const given = parsePairs(search);
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
