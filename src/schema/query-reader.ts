import type { Static, TObject, TSchema } from 'typebox';
import type { Issue } from '../domain/errors.ts';
import { isForbiddenText } from '../domain/text.ts';
import type { Keywords } from './keywords.ts';
import { type Check, compile, type Reading } from './reader.ts';

/** The values of each name, in order. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

interface Parameter {
  readonly name: string;
  readonly schema: Keywords;
  readonly isRequired: boolean;
  readonly check: Check;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const SCALARS: ReadonlySet<string> = new Set(['string', 'boolean', 'integer', 'number']);

const INTEGER = /^-?\d{1,15}$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

export const REQUIRED = 'is required';

/**
 * A reader of query strings, driven by `schema`, whose properties are scalars or lists of scalars.
 * It parses numbers and booleans, trims text, fills in defaults and ignores unknown names. A name
 * may be repeated only for a list; a value is never split. Throws a plain `Error`, at start-up, for
 * a keyword that it cannot enforce.
 */
export function createQueryReader<Schema extends TObject>(
  schema: Schema,
): (pairs: Pairs) => Reading<Static<Schema>> {
  const required = new Set(schema.required as readonly string[] | undefined);
  requireScalars(schema);
  const parameters = Object.entries(schema.properties as Record<string, TSchema>).map(
    ([name, property]): Parameter => ({
      name,
      schema: property,
      isRequired: required.has(name) && !('default' in property),
      check: compile(property, { isSpelled: true }),
    }),
  );
  return (pairs) => {
    const issues: Issue[] = [];
    const values: Record<string, unknown> = {};
    for (const parameter of parameters) {
      const value = readParameter(parameter, pairs.get(parameter.name) ?? [], issues);
      if (value !== undefined) values[parameter.name] = value;
    }
    const [first, ...others] = issues;
    return first === undefined
      ? { value: values as Static<Schema> }
      : { issues: [first, ...others] };
  };
}

/** Throws for a property whose type a query cannot express. */
function requireScalars(schema: TObject): void {
  for (const [name, property] of Object.entries(schema.properties as Record<string, Keywords>)) {
    const { type, items, enum: choices } = property;
    const scalar = type === 'array' ? (items as Keywords) : property;
    if (!SCALARS.has(String(scalar.type)) && (choices ?? scalar.enum) === undefined)
      throw new Error(`The query parameter ${name} has a type that a query cannot express.`);
  }
}

function readParameter(
  { name, schema, isRequired, check }: Parameter,
  texts: readonly string[],
  issues: Issue[],
): unknown {
  const [first] = texts;
  const isAbsent = first === undefined || (isRequired && first.trim() === '');
  const fault = faultOf(schema, texts) ?? (isAbsent && isRequired ? REQUIRED : null);
  if (fault !== null) issues.push({ path: name, message: fault });
  if (fault !== null || isAbsent) return schema.default;
  if (schema.type !== 'array') return check(spelled(schema, first.trim()), name, issues);
  return check(
    texts.map((text) => spelled(schema.items as Keywords, text)),
    name,
    issues,
  );
}

/** The fault of a parameter's values before they are parsed, if any. */
function faultOf({ type, maxItems }: Keywords, texts: readonly string[]): string | null {
  if (texts.some(isForbiddenText)) return 'holds a character that is not allowed';
  if (type !== 'array') return texts.length > 1 ? 'may be given only once' : null;
  const isTooMany = texts.length > (maxItems ?? Number.POSITIVE_INFINITY);
  return isTooMany ? `may be given at most ${maxItems} times` : null;
}

/**
 * The parsed value of a text, or the text itself if it does not parse, so that the check refuses
 * it.
 */
function spelled(schema: Keywords, text: string): unknown {
  const { type, enum: choices } = schema;
  if (choices !== undefined) return choices.find((choice) => String(choice) === text) ?? text;
  if (type === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? text;
  if (type === 'integer') return INTEGER.test(text) ? Number(text) : text;
  if (type === 'number') return NUMBER.test(text) ? Number(text) : text;
  return text;
}
