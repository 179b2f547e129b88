import type { Static, TSchema } from 'typebox';
import type { Issue } from '../domain/errors.ts';
import { codePointCount, isForbiddenText } from '../domain/text.ts';
import { jsonType, type Keywords, MESSAGE, requireEnforceable, typeOf } from './keywords.ts';

/** A valid value, or every fault of an invalid one. */
export type Reading<Value> =
  | { readonly value: Value }
  | { readonly issues: readonly [Issue, ...Issue[]] };

export interface ReaderOptions {
  /** Text is trimmed before it is checked, and returned trimmed. */
  readonly trimsText?: boolean;
  /** A member that is null counts as absent. */
  readonly nullIsAbsent?: boolean;
  /** Values are parsed from text, such as a query string. */
  readonly isSpelled?: boolean;
}

/**
 * Adds the faults of `value` to `issues` under `path`, and returns the value in the form of its
 * schema.
 */
export type Check = (value: unknown, path: string, issues: Issue[]) => unknown;

/**
 * A reader of JSON values, driven by `schema`. It fills in defaults, leaves out members that the
 * schema does not name, and reports every fault at once, in our own words and without the caller's
 * values. Throws a plain `Error`, at start-up, for a keyword that it cannot enforce.
 */
export function createReader<Schema extends TSchema>(
  schema: Schema,
  options: ReaderOptions = {},
): (value: unknown) => Reading<Static<Schema>> {
  const check = compile(schema, options);
  return (given) => {
    const issues: Issue[] = [];
    const value = check(given, '', issues) as Static<Schema>;
    const [first, ...others] = issues;
    return first === undefined ? { value } : { issues: [first, ...others] };
  };
}

/** The check of one schema. Throws as `createReader` does. */
export function compile(given: TSchema, options: ReaderOptions): Check {
  const schema = given as Keywords;
  requireEnforceable(schema);
  const check = withRefinements(schema, compileType(schema, options));
  const message = schema[MESSAGE];
  if (typeof message !== 'string') return check;
  return (value, path, issues) => {
    const own: Issue[] = [];
    const read = check(value, path, own);
    if (own.length > 0) issues.push({ path, message });
    return read;
  };
}

function compileType(schema: Keywords, options: ReaderOptions): Check {
  if (schema.anyOf !== undefined) return checkUnion(schema, schema.anyOf, options);
  if (schema.enum !== undefined) return checkChoice(schema, schema.enum);
  if ('const' in schema) return checkChoice(schema, [schema.const]);
  const { type } = schema;
  if (typeof type === 'object') {
    const alternatives = type.map((one) =>
      one === 'null' ? { type: one } : { ...schema, type: one },
    );
    return checkUnion(schema, alternatives, options);
  }
  switch (type) {
    case undefined:
      return (value) => value;
    case 'string':
      return checkText(schema, options);
    case 'number':
    case 'integer':
      return checkNumber(schema);
    case 'array':
      return checkArray(schema, options);
    case 'object':
      return schema.properties === undefined
        ? checkRecord(schema, options)
        : checkObject(schema, options);
    default:
      return checkPlainType(schema, type, options);
  }
}

/** The message for a fault against `keyword`: the schema's own, or `otherwise`. */
function messageOf({ [MESSAGE]: own }: Keywords, keyword: string, otherwise: string): string {
  return typeof own === 'object' ? (own[keyword] ?? otherwise) : otherwise;
}

function checkText(schema: Keywords, { trimsText = false }: ReaderOptions): Check {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const pattern = schema.pattern === undefined ? null : new RegExp(schema.pattern, 'u');
  const empty = trimsText ? 'must hold more than blanks' : 'must not be empty';
  const messages = {
    type: messageOf(schema, 'type', 'must be a string'),
    minLength: messageOf(
      schema,
      'minLength',
      minLength === 1 ? empty : `is shorter than ${minLength} characters`,
    ),
    maxLength: messageOf(schema, 'maxLength', `is longer than ${maxLength} characters`),
    pattern: messageOf(schema, 'pattern', 'does not have the right form'),
  };
  const faultOf = (text: string) => {
    if (isForbiddenText(text)) return 'holds a character that is not allowed';
    if (text.length < minLength) return messages.minLength;
    // Counts code points only if surrogate pairs could make a difference.
    if (text.length > maxLength && codePointCount(text) > maxLength) return messages.maxLength;
    return pattern === null || pattern.test(text) ? null : messages.pattern;
  };
  return (value, path, issues) => {
    if (typeof value !== 'string') {
      issues.push({ path, message: messages.type });
      return value;
    }
    const text = trimsText ? value.trim() : value;
    const message = faultOf(text);
    if (message !== null) issues.push({ path, message });
    return text;
  };
}

function checkNumber(schema: Keywords): Check {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const isNumber = type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const message = messageOf(schema, 'type', `must be ${kind}${rangeText(schema)}`);
  return (value, path, issues) => {
    const isInside =
      isNumber(value) && (value as number) >= minimum && (value as number) <= maximum;
    if (!isInside) issues.push({ path, message });
    return value;
  };
}

function rangeText({ minimum, maximum }: Keywords): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? '' : `, at most ${maximum}`;
}

function checkChoice(schema: Keywords, choices: readonly unknown[]): Check {
  const message = messageOf(schema, 'enum', `must be one of ${choices.join(', ')}`);
  return (value, path, issues) => {
    if (!choices.includes(value)) issues.push({ path, message });
    return value;
  };
}

function checkPlainType(schema: Keywords, type: string, { isSpelled }: ReaderOptions): Check {
  const boolean = isSpelled === true ? 'must be true, false, 1 or 0' : 'must be true or false';
  const message = messageOf(schema, 'type', type === 'null' ? 'must be null' : boolean);
  return (value, path, issues) => {
    if (typeOf(value) !== type) issues.push({ path, message });
    return value;
  };
}

function checkArray(schema: Keywords, options: ReaderOptions): Check {
  const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (isTuple(items)) return checkTuple(schema, items, options);
  const checkItem = compile(items, options);
  const type = messageOf(schema, 'type', 'must be a list');
  const tooFew = messageOf(schema, 'minItems', `has fewer than ${minItems} items`);
  const tooMany = messageOf(schema, 'maxItems', `has more than ${maxItems} items`);
  return (value, path, issues) => {
    const isFit = Array.isArray(value) && value.length >= minItems && value.length <= maxItems;
    if (isFit)
      return value.map((item, index) => checkItem(item, join(path, String(index)), issues));
    const message = !Array.isArray(value) ? type : value.length < minItems ? tooFew : tooMany;
    issues.push({ path, message });
    return value;
  };
}

function isTuple(items: TSchema | readonly TSchema[]): items is readonly TSchema[] {
  return Array.isArray(items);
}

function checkTuple(schema: Keywords, items: readonly TSchema[], options: ReaderOptions): Check {
  const checks = items.map((item) => compile(item, options));
  const message = messageOf(schema, 'type', `must be a list of ${items.length} items`);
  return (value, path, issues) => {
    if (Array.isArray(value) && value.length === checks.length)
      return checks.map((check, at) => check(value[at], join(path, String(at)), issues));
    issues.push({ path, message });
    return value;
  };
}

/** The alternatives have different types, so a value's type decides which of them applies. */
function checkUnion(
  schema: Keywords,
  alternatives: readonly TSchema[],
  options: ReaderOptions,
): Check {
  const checks = new Map(
    alternatives.map((one) => [jsonType(one), compile(one, options)] as const),
  );
  const [only, ...others] = [...checks].filter(([type]) => type !== 'null');
  const message = messageOf(schema, 'type', `must be of type ${[...checks.keys()].join(' or ')}`);
  return (value, path, issues) => {
    // A nullable type uses the message of its other alternative.
    const check = checks.get(typeOf(value)) ?? (others.length === 0 ? only?.[1] : undefined);
    if (check !== undefined) return check(value, path, issues);
    issues.push({ path, message });
    return value;
  };
}

function checkObject(schema: Keywords, options: ReaderOptions): Check {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const type = messageOf(schema, 'type', 'must be an object');
  const members = Object.entries(properties).map(([name, property]) => ({
    name,
    check: compile(property, options),
    isRequired: required.includes(name) && !('default' in property),
    whenAbsent: (property as Keywords).default,
    missing: messageOf(property as Keywords, 'required', 'is required'),
  }));
  return (value, path, issues) => {
    if (!isMembers(value)) {
      issues.push({ path, message: type });
      return value;
    }
    const read: Record<string, unknown> = {};
    for (const { name, check, isRequired, whenAbsent, missing } of members) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given !== undefined && !(given === null && options.nullIsAbsent === true))
        read[name] = check(given, join(path, name), issues);
      else if (isRequired) issues.push({ path: join(path, name), message: missing });
      else if (whenAbsent !== undefined) read[name] = whenAbsent;
    }
    if (additionalProperties === false && Object.keys(value).some((name) => !(name in properties)))
      issues.push({ path, message: 'has a member that is not known' });
    return read;
  };
}

/** Members of any name. Faults refer to the whole record, because the caller chooses the names. */
function checkRecord(schema: Keywords, options: ReaderOptions): Check {
  const { maxProperties = Number.POSITIVE_INFINITY, propertyNames = {} } = schema;
  const [values = {}] = Object.values(schema.patternProperties ?? {});
  const checkName = compile({ type: 'string', ...propertyNames }, {});
  const checkValue = compile(values, options);
  const type = messageOf(schema, 'type', 'must be an object');
  const tooMany = messageOf(schema, 'maxProperties', `has more than ${maxProperties} members`);
  return (value, path, issues) => {
    const entries = isMembers(value) ? Object.entries(value) : null;
    if (entries === null || entries.length > maxProperties) {
      issues.push({ path, message: entries === null ? type : tooMany });
      return value;
    }
    const names: Issue[] = [];
    const members: Issue[] = [];
    const read = entries.map(([name, member]) => {
      checkName(name, '', names);
      return [name, checkValue(member, '', members)] as const;
    });
    const fault = messageAbout('name', names) ?? messageAbout('value', members);
    if (fault !== null) issues.push({ path, message: fault });
    return Object.fromEntries(read);
  };
}

/**
 * The first fault of a record's names or values, phrased for the record: "is longer" becomes "has a
 * value longer".
 */
function messageAbout(part: 'name' | 'value', [first]: readonly Issue[]): string | null {
  return first === undefined ? null : first.message.replace(/^is /, `has a ${part} `);
}

/** The check that TypeBox's `Refine` adds. It runs last, on a value without other faults. */
function withRefinements(schema: Keywords, check: Check): Check {
  const refinements = schema['~refine'];
  if (refinements === undefined) return check;
  return (value, path, issues) => {
    const countBefore = issues.length;
    const read = check(value, path, issues);
    if (issues.length > countBefore) return read;
    const failed = refinements.find((refinement) => !refinement.check(read));
    if (failed !== undefined) issues.push({ path, message: failed.error(read) });
    return read;
  };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
