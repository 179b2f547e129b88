import type { TSchema } from 'typebox';

/**
 * The key of a schema's own error messages: one for all faults, or one by keyword (`type`,
 * `maxLength`, `required`, …). A message is a predicate that follows a name: "must be a date". The
 * key is a symbol, so that no description of the schema shows it.
 */
export const MESSAGE: unique symbol = Symbol('message');

/** The JSON Schema keywords that the readers enforce. */
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
  /** One schema for each item, or a list of schemas: one for each place. */
  readonly items?: TSchema | readonly TSchema[];
  readonly additionalItems?: boolean;
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

/** Annotations: keywords that do not constrain a value. */
const ANNOTATIONS = ['default', 'deprecated', 'description', 'examples', 'title'];

/** Keywords besides `type`, by type. */
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems', 'additionalItems'],
  object: ['properties', 'required', 'additionalProperties'],
  record: ['patternProperties', 'propertyNames', 'maxProperties'],
};

/** The pattern with which TypeBox describes members of any name. */
const ANY_NAME = '^.*$';

/**
 * Throws for keywords of `schema` that the reader cannot enforce. Does not check nested schemas.
 */
export function requireEnforceable(schema: Keywords): void {
  const { type, anyOf, items, patternProperties = {}, additionalProperties } = schema;
  const allowed = new Set([...ANNOTATIONS, ...keywordsOf(schema)]);
  const faults = Object.keys(schema).filter((keyword) => !allowed.has(keyword));
  const types = anyOf?.map(jsonType) ?? [];
  if (types.includes(null) || new Set(types).size < types.length)
    faults.push('anyOf with alternatives of the same type');
  if ([type ?? []].flat().some((one) => !(one in BY_TYPE))) faults.push(`type ${type}`);
  if (Object.keys(patternProperties).some((pattern) => pattern !== ANY_NAME))
    faults.push('patternProperties for some names only');
  if (
    Array.isArray(items) &&
    (schema.additionalItems !== false || schema.minItems !== items.length)
  )
    faults.push('items by place, without a fixed count');
  if (typeof additionalProperties === 'object') faults.push('additionalProperties with a schema');
  if (faults.length > 0)
    throw new Error(`A schema has keywords that are not enforced: ${faults.join(', ')}`);
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

/**
 * The type of the values that `schema` describes, with integers as `number`; null if there are
 * several.
 */
export function jsonType({ type, enum: choices }: Keywords): string | null {
  if (type === undefined && choices !== undefined) {
    const [only = null, ...others] = new Set(choices.map(typeOf));
    return others.length === 0 ? only : null;
  }
  if (typeof type !== 'string') return null;
  return type === 'integer' ? 'number' : type;
}

/** The JSON Schema type of a JSON value; `number` for integers, too. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
