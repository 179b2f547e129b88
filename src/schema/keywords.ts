import type { TSchema } from 'typebox';

/**
 * The key of a schema's own words for its faults: one sentence for all of them, or one by keyword
 * (`type`, `maxLength`, `required`, …). Each is a predicate that follows a name: "must be a date". A
 * symbol, so that no description of the schema shows it.
 */
export const MESSAGE: unique symbol = Symbol('message');

/** What can be enforced of JSON Schema. */
export interface Keywords {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly propertyNames?: TSchema;
  readonly maxProperties?: number;
  readonly default?: unknown;
  readonly '~refine'?: readonly {
    check(value: unknown): boolean;
    error(value: unknown): string;
  }[];
  readonly [MESSAGE]?: string | Readonly<Record<string, string>>;
}

/** Keywords that say something to readers of the schema and demand nothing of a value. */
const ANNOTATIONS = ['default', 'deprecated', 'description', 'examples', 'title'];

/** Keywords beside `type`, by type. */
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
  record: ['patternProperties', 'propertyNames', 'maxProperties'],
};

/** How TypeBox writes "members of any name". */
const ANY_NAME = '^.*$';

/** Throws for what `schema`, apart from the schemas inside it, demands and the reader cannot enforce. */
export function requireEnforceable(schema: Keywords): void {
  const { type, anyOf, patternProperties = {}, additionalProperties } = schema;
  const allowed = new Set([...ANNOTATIONS, ...keywordsOf(schema)]);
  const faults = Object.keys(schema).filter((keyword) => !allowed.has(keyword));
  const types = anyOf?.map(jsonType) ?? [];
  if (types.includes(null) || new Set(types).size < types.length)
    faults.push('anyOf with alternatives that their types do not tell apart');
  if ([type ?? []].flat().some((one) => !(one in BY_TYPE))) faults.push(`type ${type}`);
  if (Object.keys(patternProperties).some((pattern) => pattern !== ANY_NAME))
    faults.push('patternProperties for some names only');
  if (typeof additionalProperties === 'object') faults.push('additionalProperties with a schema');
  if (faults.length > 0)
    throw new Error(`A schema demands what is not enforced: ${faults.join(', ')}`);
}

function keywordsOf(schema: Keywords): readonly string[] {
  const { type, properties } = schema;
  if (schema.anyOf !== undefined) return ['anyOf'];
  if (schema.enum !== undefined) return ['type', 'enum'];
  if ('const' in schema) return ['type', 'const'];
  return [type ?? []]
    .flat()
    .flatMap((one) => BY_TYPE[one === 'object' && !properties ? 'record' : one] ?? [])
    .concat('type');
}

/** The one type of the values that `schema` describes, whole numbers being numbers; null for several. */
export function jsonType({ type }: Keywords): string | null {
  if (typeof type !== 'string') return null;
  return type === 'integer' ? 'number' : type;
}

/** The JSON Schema type of a JSON value; `number` for whole ones too. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
