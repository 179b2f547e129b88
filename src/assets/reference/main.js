import { element } from '../page/element.js';
import { meaning, schemaPart } from './schema.js';

/** @typedef {import('./schema.js').Schema} Schema */
/**
 * @typedef {{ schema?: Schema, example?: unknown, examples?: Record<string, { value: unknown }> }}
 * Media
 */
/**
 * @typedef {{ name: string, in: string, required: boolean, description?: string, schema: Schema,
 * example?: unknown }} Parameter
 */
/** @typedef {{ description: string, content?: Record<string, Media> }} Answer */
/**
 * @typedef {{
 *   operationId: string, tags: string[], summary: string, description: string, security?: object[],
 *   parameters: Parameter[], requestBody?: { content: Record<string, Media> },
 *   responses: Record<string, Answer>,
 * }} Operation
 */
/** @typedef {Operation & { method: string, path: string }} Place */
/**
 * @typedef {{
 *   info: { title: string, version: string, description: string },
 *   tags: { name: string, description: string }[],
 *   paths: Record<string, Record<string, Operation>>,
 * }} Description
 */

/** Placeholder address in the example requests. */
const BASE = '$VITRINE_URL';

/** @type {Description} */
const { info, tags, paths } = JSON.parse(byId('openapi').textContent ?? '{}');

const places = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);
const groups = tags.map((tag) => ({
  ...tag,
  operations: places.filter((place) => place.tags.includes(tag.name)),
}));

byId('reference').append(
  element('h1', {}, info.title, ' ', element('span', { class: 'quiet' }, info.version)),
  ...info.description.split('\n\n').map((words) => element('p', {}, words.replaceAll('`', ''))),
  ...groups.flatMap(({ name, description, operations }) => [
    element('h2', {}, name),
    element('p', {}, description),
    ...operations.map(operationPart),
  ]),
);
byId('contents').append(
  ...groups.flatMap(({ name, operations }) => [
    element('strong', {}, name),
    ...operations.map(({ operationId, method, path }) =>
      element('a', { href: `#${operationId}` }, methodTag(method), path),
    ),
  ]),
);
// The URL may name an operation that did not exist yet when the page opened.
if (location.hash !== '') byId(location.hash.slice(1))?.scrollIntoView();

/** @param {Place} place */
function operationPart(place) {
  const { operationId, summary, description, method, path, parameters, requestBody } = place;
  const body = requestBody?.content['application/json'];
  return element(
    'section',
    { id: operationId },
    element('h3', {}, summary),
    element('p', { class: 'address' }, methodTag(method), element('code', {}, path)),
    element('p', {}, description.replaceAll('`', '')),
    ...(parameters.length === 0 ? [] : [title('Parameters'), parameterTable(parameters)]),
    ...(body?.schema === undefined ? [] : [title('Body'), schemaPart(body.schema)]),
    title('Example'),
    element('pre', { tabindex: '0' }, exampleRequest(place)),
    title('Answers'),
    ...Object.entries(place.responses).map(([status, answer]) => answerPart(status, answer)),
  );
}

/** @param {string} words */
function title(words) {
  return element('h4', {}, words);
}

/** @param {string} method */
function methodTag(method) {
  return element('span', { class: `method ${method}` }, method.toUpperCase());
}

/** @param {Parameter[]} parameters */
function parameterTable(parameters) {
  const rows = parameters.map(({ name, in: place, required, description, schema }) =>
    element(
      'tr',
      {},
      element('td', {}, element('code', {}, name)),
      element('td', {}, required ? `${place}, required` : place),
      element(
        'td',
        {},
        ...meaning(description === undefined ? schema : { ...schema, description }),
      ),
    ),
  );
  const headings = ['Name', 'Where', 'What'].map((heading) =>
    element('th', { scope: 'col' }, heading),
  );
  return element(
    'div',
    { class: 'scroll' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...headings)),
      element('tbody', {}, ...rows),
    ),
  );
}

/**
 * @param {string} status
 * @param {Answer} answer
 */
function answerPart(status, { description, content = {} }) {
  const [type, media] = Object.entries(content)[0] ?? [];
  const words = [
    element('code', {}, status),
    ` ${description.replaceAll('`', '')}`,
    type === undefined ? null : element('span', { class: 'quiet' }, ` ${type}`),
  ];
  if (media?.schema === undefined) return element('p', { class: 'answer' }, ...words);
  return element(
    'details',
    {},
    element('summary', {}, ...words),
    media.example === undefined ? null : element('pre', { tabindex: '0' }, shown(media.example)),
    schemaPart(media.schema),
  );
}

/** @param {Place} place */
function exampleRequest({ method, path, parameters, requestBody, security }) {
  const asked = parameters.filter(({ in: place, required }) => place === 'query' && required);
  const address = parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example ?? name)), path);
  const media = requestBody?.content['application/json'];
  const example = Object.values(media?.examples ?? {})[0]?.value;
  const parts = [
    `curl ${asked.length > 0 ? '-G ' : ''}${BASE}${address}`,
    ...(security?.length === 0 ? [] : ['-H "X-API-Key: $KEY"']),
    ...asked.map(({ name, example: value }) => `--data-urlencode '${name}=${value ?? ''}'`),
    ...(example === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`]),
    ...(method === 'delete' ? ['-X DELETE'] : []),
  ];
  return parts.join(' \\\n  ');
}

/** @param {unknown} example */
function shown(example) {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2);
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
