import { peekText } from '../bytes/decompress.ts';
import { readElements } from '../bytes/json-elements.ts';
import { parseJson, parseRecord } from '../bytes/json-text.ts';
import { Findings, recordFindings } from '../record/findings.ts';
import { isJsonObject, type JsonObject, spelled } from '../record/json-fields.ts';
import type {
  CatalogFormat,
  CatalogRow,
  CatalogSource,
  FileHead,
  RawRecord,
  ReaderOptions,
  RecordText,
} from '../record/reader.ts';
import { readNode } from './json-ld-item.ts';
import { type Page, readPageRecords } from './page-records.ts';

const LISTS = ['@graph', 'itemListElement'];

/**
 * Characters of nodes held in memory, so that one can refer to another by `@id`: enough for any page, and
 * for neighbours in a longer file.
 */
const HELD_MAX = 16 * 1024 * 1024;

/** Length of a head, in characters, after which a script may lie beyond the text used for detection. */
const LONG_HEAD = 32 * 1024;

/** Most nodes examined in one record. */
const NODE_COUNT_MAX = 10_000;

const PRODUCT_TYPES = new Set([
  ...['Product', 'ProductGroup', 'ProductModel', 'IndividualProduct', 'SomeProducts', 'Vehicle'],
  ...[
    'Book',
    'Car',
    'Service',
    'FinancialProduct',
    'FoodService',
    'TaxiService',
    'ProfessionalService',
  ],
]);

const MICRODATA =
  /\bitemtype\s*=\s*["']?https?:\/\/schema\.org\/(?:Product|ProductGroup|Service)\b/i;
const OPEN_GRAPH =
  /<meta[^>]+["'](?:(?:product|og):price:amount["']|og:type["'][^>]+content\s*=\s*["'](?:og:)?product)/i;

/**
 * Schema.org's vocabulary: as JSON-LD in a page or a file, with or without `@graph`, else as a page's microdata.
 * A page that has neither may describe its product with OpenGraph properties.
 */
export const jsonLd: CatalogFormat = {
  name: 'json-ld',
  detect: detectJsonLd,
  read: readJsonLd,
  readRecords: readAll,
};

function detectJsonLd({ text }: FileHead): string | null {
  const isPage = /^[\s\ufeff]*</.test(text);
  if (isPage && /<script[^>]+application\/ld\+json/i.test(text)) return 'a page with JSON-LD';
  // The script may lie beyond the text used for detection.
  if (isPage && text.length > LONG_HEAD && /<!doctype html|<html[\s>]/i.test(text))
    return 'a page, which may have JSON-LD';
  if (isPage && MICRODATA.test(text)) return 'a page with microdata';
  if (isPage && OPEN_GRAPH.test(text)) return 'a page with OpenGraph properties';
  const isJson = /^[\s\ufeff]*[[{]/.test(text) && /"@(?:context|type|graph)"\s*:/.test(text);
  return isJson ? 'JSON with @type' : null;
}

async function* readJsonLd(
  source: CatalogSource,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const { head, bytes } = await peekText(source.bytes);
  const records = /^[\s\ufeff]*</.test(head)
    ? readPageRecords(bytes, LISTS, hasProduct)
    : readElements(bytes, LISTS);
  yield* readAll(source.name, records, options);
}

/** Whether a JSON-LD element contains a product. */
function hasProduct(text: string): boolean {
  const { value } = parseJson(text);
  return isJsonObject(value) && nodesOf(value).some(isProduct);
}

interface Held {
  readonly text: RecordText & { readonly page?: Page };
  readonly raw: RawRecord;
  readonly findings: Findings;
  readonly value: JsonObject | null;
}

async function* readAll(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  let held: Held[] = [];
  let length = 0;
  for await (const text of records) {
    const { raw, findings } = recordFindings(file, text, jsonLd.name);
    held.push({ text, raw, findings, value: parseRecord(text, findings) });
    length += text.text.length;
    if (length <= HELD_MAX) continue;
    yield* readTogether(file, held, options);
    held = [];
    length = 0;
  }
  yield* readTogether(file, held, options);
}

/** The products in records that may refer to one another. */
function* readTogether(
  file: string,
  held: readonly Held[],
  options: ReaderOptions,
): Generator<CatalogRow> {
  const nodes = held.map(({ value }) => (value === null ? [] : nodesOf(value)));
  const byId = new Map<string, JsonObject>();
  for (const node of nodes.flat()) {
    const id = node['@id'];
    // Of several nodes with one `@id`, keep the one with the most members.
    if (typeof id === 'string' && sizeOf(node) > sizeOf(byId.get(id))) byId.set(id, node);
  }
  const products = nodes.flat().filter(isProduct);
  const context = { byId, products, options };
  const parts = new Set(products.flatMap((product) => variantsOf(product, context)));
  const isOffering = (node: JsonObject) => {
    const isReference = byId.get(spelled(node['@id'])) !== node && node['@id'] !== undefined;
    return isProduct(node) && !parts.has(node) && !isReference;
  };
  const offerings = nodes.map((each) => each.filter(isOffering));
  const counts = new Map<Page | undefined, number>();
  for (const [index, { text }] of held.entries())
    counts.set(text.page, (counts.get(text.page) ?? 0) + offerings[index]!.length);
  for (const [index, { text, raw, findings }] of held.entries()) {
    const { line, record, page } = text;
    const pageUrl = counts.get(page) === 1 ? (page?.url ?? null) : null;
    for (const node of offerings[index]!) {
      const own = new Findings({ file, line, record, raw });
      const variants = variantsOf(node, context);
      const item = readNode({ node, variants, byId, pageUrl }, own, options);
      findings.faults.push(...own.faults);
      for (const fault of findings.faults.splice(0)) yield { fault };
      if (item !== null) yield { item, file, line, record, raw };
    }
    for (const fault of findings.faults.splice(0)) yield { fault };
  }
}

function sizeOf(node: JsonObject | undefined): number {
  return node === undefined ? 0 : Object.keys(node).length;
}

/** Every object with a type at any depth, outermost first. */
function nodesOf(value: JsonObject): JsonObject[] {
  const nodes: JsonObject[] = [];
  const waiting: unknown[] = [value];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (nodes.length >= NODE_COUNT_MAX) break;
    if (Array.isArray(next)) waiting.push(...next);
    if (!isJsonObject(next)) continue;
    if ('@type' in next) nodes.push(next);
    for (const [name, entry] of Object.entries(next)) {
      // Products that this one is similar to, or part of, are not offerings of this page.
      if (
        typeof entry === 'object' &&
        !/^(?:isRelatedTo|isSimilarTo|isVariantOf|review|brand)$/.test(name)
      ) {
        waiting.push(entry);
      }
    }
  }
  return nodes;
}

/** A node's types, without the vocabulary's URL; there may be several. */
function typesOf(node: JsonObject): string[] {
  const types: unknown[] = [node['@type']].flat();
  return types
    .filter((type) => typeof type === 'string')
    .map((type) => type.replace(/^(?:https?:\/\/schema\.org\/|schema:)/, ''));
}

function isProduct(node: JsonObject): boolean {
  const isTyped = typesOf(node).some((type) => PRODUCT_TYPES.has(type));
  // A reference to a product, or the product named by an offer.
  return (
    isTyped && (node['name'] !== undefined || node['offers'] !== undefined || 'hasVariant' in node)
  );
}

interface Neighbours {
  readonly byId: ReadonlyMap<string, JsonObject>;
  readonly products: readonly JsonObject[];
}

/** The variants that a group lists, and those that refer to the group. */
function variantsOf(group: JsonObject, { byId, products }: Neighbours): JsonObject[] {
  const entries: unknown[] = [group['hasVariant'] ?? []].flat();
  const named = entries.filter(isJsonObject).map((entry) => resolved(entry, byId));
  if (!typesOf(group).includes('ProductGroup')) return named;
  const keys = new Set<unknown>(
    [group['@id'], group['productGroupID']].filter((key) => key !== undefined),
  );
  const naming = products.filter((product) => {
    const parents: unknown[] = [product['isVariantOf'] ?? []].flat();
    return (
      product !== group &&
      (keys.has(product['inProductGroupWithID']) ||
        parents.some(
          (parent) =>
            isJsonObject(parent) && (keys.has(parent['@id']) || keys.has(parent['productGroupID'])),
        ))
    );
  });
  return [...new Set([...named, ...naming])];
}

function resolved(node: JsonObject, byId: ReadonlyMap<string, JsonObject>): JsonObject {
  const id = node['@id'];
  return typeof id === 'string' ? (byId.get(id) ?? node) : node;
}
