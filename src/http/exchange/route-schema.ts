import type { Static, TObject } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { createQueryReader, REQUIRED } from '../../schema/query-reader.ts';

/**
 * A TypeBox schema as Elysia takes it in a route's options: as a Standard Schema, because Elysia 1.4
 * knows only TypeBox before 1.0. `validate` throws our own error, which needs no translation.
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
 * The query of a route. What is validated is the query string itself, which admission leaves in
 * Elysia's place for it: Elysia's own reading splits at commas, parses JSON and passes invalid UTF-8.
 */
export function queryOf<Schema extends TObject>(
  schema: Schema,
): RouteSchema<string, ReadQuery<Schema>> {
  const read = queryReader(schema);
  return standard(schema, (search) => read(search as string));
}

/** The parameters of a route's path. An escape that is not UTF-8 names nothing, as an empty name does. */
export function paramsOf<Schema extends TObject>(
  schema: Schema,
): RouteSchema<Record<string, string>, Record<keyof Schema['properties'] & string, string>> {
  return standard(schema, (given) => {
    const entries = Object.entries(given as Record<string, string | null>);
    return Object.fromEntries(entries.map(([name, value]) => [name, value ?? ''])) as Record<
      keyof Schema['properties'] & string,
      string
    >;
  });
}

function standard<Input, Output>(
  schema: TObject,
  read: (value: unknown) => Output,
): RouteSchema<Input, Output> {
  const validate = (value: unknown) => ({ value: read(value) });
  return { schema, '~standard': { version: 1, vendor: 'vitrine', validate } };
}

/** The values of a query and the names it holds besides. */
export interface ReadQuery<Schema extends TObject> {
  readonly values: Static<Schema>;
  readonly unknown: readonly string[];
}

/**
 * A reader of query strings, without their question mark, as `schema` has them. It throws `missing_parameter` or `invalid_input` with
 * every fault at once, in words of ours and without the caller's values.
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
