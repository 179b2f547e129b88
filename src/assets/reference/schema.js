import { element } from '../page/element.js';

/**
 * The subset of JSON Schema that the OpenAPI document uses.
 *
 * @typedef {{
 *   $ref?: string, type?: string, format?: string, enum?: unknown[], const?: unknown,
 *   anyOf?: Schema[], items?: Schema, properties?: Record<string, Schema>, required?: string[],
 *   description?: string, default?: unknown, minimum?: number, maximum?: number,
 *   minLength?: number, maxLength?: number, maxItems?: number, pattern?: string,
 * }} Schema
 */

/**
 * A table of an object's fields, with nested objects below them. For any other schema, its type.
 *
 * @param {Schema} schema
 * @returns {HTMLElement}
 */
export function schemaPart(schema) {
  const fields = fieldsOf(schema);
  if (fields === null) {
    return element('p', {}, element('code', {}, typeOf(schema)), ' ', schema.description ?? null);
  }
  const required = new Set(fields.required ?? []);
  const rows = Object.entries(fields.properties ?? {}).map(([name, property]) => {
    const isInner = fieldsOf(property) !== null;
    const optional = required.has(name) ? null : element('span', { class: 'quiet' }, ' optional');
    return element(
      'tr',
      {},
      element('td', {}, element('code', {}, name), optional),
      element(
        'td',
        {},
        ...meaning(property),
        isInner ? element('div', { class: 'nested' }, schemaPart(property)) : null,
      ),
    );
  });
  return element('div', { class: 'scroll' }, element('table', {}, element('tbody', {}, ...rows)));
}

/**
 * Type, description and limits of a value.
 *
 * @param {Schema} schema
 */
export function meaning(schema) {
  const { description } = schema;
  return [
    element('code', {}, typeOf(schema)),
    description === undefined ? null : ` ${description}`,
    boundsOf(schema),
  ];
}

/**
 * The object schema whose fields describe a schema: the schema itself, the items of a list, or the
 * first alternative with fields. Null if there are no fields.
 *
 * @param {Schema} schema
 * @returns {Schema | null}
 */
function fieldsOf(schema) {
  if (Object.keys(schema.properties ?? {}).length > 0) return schema;
  if (schema.items !== undefined) return fieldsOf(schema.items);
  for (const choice of schema.anyOf ?? []) {
    const fields = fieldsOf(choice);
    if (fields !== null) return fields;
  }
  return null;
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return schema.format ?? schema.type ?? 'any';
}

/** @param {Schema} schema */
function boundsOf({ default: fallback, minimum, maximum, maxLength, maxItems }) {
  const bounds = [
    fallback === undefined ? null : `default ${JSON.stringify(fallback)}`,
    minimum === undefined ? null : `at least ${minimum}`,
    maximum === undefined ? null : `at most ${maximum}`,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    maxItems === undefined ? null : `at most ${maxItems}`,
  ].filter((bound) => bound !== null);
  return bounds.length === 0
    ? null
    : element('span', { class: 'quiet' }, ` (${bounds.join(', ')})`);
}
