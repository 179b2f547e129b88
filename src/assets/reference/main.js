import { element } from '../page/element.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Where the example requests go. */
const BASE = 'http://127.0.0.1:8787';

const document_ = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('openapi')).textContent ?? '{}');
const operations = Object.entries(document_.paths).flatMap(([path, methods]) =>
  METHODS.filter((method) => method in methods).map((method) => ({ path, method, ...methods[method] })),
);

byId('reference').append(
  element('h1', {}, document_.info.title),
  element('p', {}, document_.info.description),
  ...operations.map(operationPart),
);
byId('contents').append(
  ...operations.map(({ operationId, summary }) => element('a', { href: `#${operationId}` }, summary)),
);

function operationPart(operation) {
  const { operationId, summary, description, method, path, parameters = [], requestBody, responses } = operation;
  const bodySchema = requestBody?.content?.['application/json']?.schema;
  return element(
    'section',
    { id: operationId },
    element('h2', {}, summary),
    element('p', { class: 'address' }, element('code', {}, element('span', { class: 'method' }, method.toUpperCase()), path)),
    element('p', {}, description ?? ''),
    parameters.length === 0 ? null : element('h3', {}, 'Parameters'),
    parameters.length === 0 ? null : parameterTable(parameters),
    bodySchema === undefined ? null : element('h3', {}, 'Body'),
    bodySchema === undefined ? null : schemaPart(bodySchema),
    element('h3', {}, 'Example'),
    element('pre', {}, exampleRequest(operation)),
    element('h3', {}, 'Answers'),
    ...Object.entries(responses).map(answerPart),
  );
}

function parameterTable(parameters) {
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) =>
    element(
      'tr',
      {},
      element('td', {}, element('code', {}, name)),
      element('td', {}, `${place}${required ? ', required' : ''}`),
      element('td', {}, element('code', {}, typeOf(schema)), ' ', description, boundsOf(schema)),
    ),
  );
  const headings = ['Name', 'Where', 'What'].map((heading) => element('th', { scope: 'col' }, heading));
  return element('table', {}, element('thead', {}, element('tr', {}, ...headings)), element('tbody', {}, ...rows));
}

function answerPart([status, { description, content = {} }]) {
  const [type, media] = Object.entries(content)[0] ?? [null, null];
  const summary = element('summary', {}, element('code', {}, status), ` ${description ?? ''} `, type === null ? null : element('span', { class: 'quiet' }, type));
  const schema = media?.schema;
  return schema === undefined
    ? element('p', {}, element('code', {}, status), ` ${description ?? ''}`)
    : element('details', {}, summary, schemaPart(schema));
}

/** A schema's fields, objects inside objects. */
function schemaPart(given) {
  const schema = resolved(given);
  const properties = Object.entries(schema.properties ?? schema.items?.properties ?? {});
  if (properties.length === 0) return element('p', {}, element('code', {}, typeOf(schema)));
  const required = new Set(schema.required ?? schema.items?.required ?? []);
  const rows = properties.map(([name, property]) => {
    const inner = nestedIn(property);
    return element(
      'tr',
      {},
      element('td', {}, element('code', {}, name), required.has(name) ? '' : element('span', { class: 'quiet' }, ' optional')),
      element(
        'td',
        {},
        element('code', {}, typeOf(property)),
        ' ',
        property.description ?? '',
        boundsOf(property),
        inner === null ? null : element('div', { class: 'nested' }, schemaPart(inner)),
      ),
    );
  });
  return element('table', {}, element('tbody', {}, ...rows));
}

/** The object inside a field that has fields of its own; null for any other. */
function nestedIn(property) {
  const schema = resolved(property);
  if (schema.properties !== undefined) return schema;
  if (schema.items?.properties !== undefined) return schema.items;
  return null;
}

function resolved(schema) {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  return name === undefined ? schema : document_.components.schemas[name];
}

function typeOf(given) {
  const schema = resolved(given);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeOf).join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return schema.format ?? schema.type ?? 'any';
}

function boundsOf({ default: fallback, minimum, maximum, maxLength, maxItems }) {
  const bounds = [
    fallback === undefined ? null : `default ${JSON.stringify(fallback)}`,
    minimum === undefined ? null : `from ${minimum}`,
    maximum === undefined ? null : `to ${maximum}`,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    maxItems === undefined ? null : `at most ${maxItems} times`,
  ].filter((bound) => bound !== null);
  return bounds.length === 0 ? '' : element('span', { class: 'quiet' }, ` (${bounds.join(', ')})`);
}

function exampleRequest({ method, path, parameters = [], requestBody, security }) {
  const asked = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const parts = [
    `curl ${asked.length > 0 ? '-G ' : ''}${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${BASE}${path}`,
    security?.length === 0 ? null : '-H "X-API-Key: $KEY"',
    ...asked.map(({ name, example }) => `--data-urlencode '${name}=${example ?? 'waterproof jacket under 150'}'`),
    requestBody === undefined ? null : "-H 'Content-Type: application/json'",
    requestBody === undefined ? null : `-d '${JSON.stringify(requestBody.content['application/json'].example ?? {})}'`,
  ];
  return parts.filter((part) => part !== null).join(' \\\n  ');
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
