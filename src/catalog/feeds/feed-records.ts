import { type CsvRow, csvFinding } from '../bytes/csv-table.ts';
import { parseJson } from '../bytes/json-text.ts';
import { type Finding, Findings } from '../record/findings.ts';
import { isJsonObject, type JsonObject } from '../record/json-fields.ts';
import type { CatalogRow } from '../record/reader.ts';
import { RecordGroups } from '../record/record-groups.ts';
import type { TableColumns } from '../record/table-columns.ts';
import { shortText } from '../record/values.ts';
import { type FeedAttribute, feedAttribute } from './feed-attributes.ts';
import { type FeedOptions, type FeedRecord, readFeedItem } from './feed-item.ts';

/**
 * Yields the products of a feed. Records with the same group id are variants of one product, even if
 * they are not adjacent.
 */
export async function* readFeed(
  { file, columns }: { file: string; columns: readonly string[] },
  records: AsyncIterable<FeedRecord>,
  options: FeedOptions,
): AsyncGenerator<CatalogRow> {
  const groups = new RecordGroups<FeedRecord>();
  const rowsOf = (group: readonly FeedRecord[]) => readGroup({ file, columns, group }, options);
  for await (const record of records) {
    const key = record.problem === null ? shortText(record.raw('group')) : '';
    if (key === '') {
      yield* rowsOf([record]);
      continue;
    }
    if (!groups.add(key, record)) {
      const { line, record: number, fields } = record;
      const raw = { columns, rows: [{ line, fields }] };
      const findings = new Findings({ file, line, record: number, raw });
      findings.error(SPLIT_GROUP);
      for (const fault of findings.faults) yield { fault };
    }
    for (const group of groups.overflowing()) yield* rowsOf(group);
  }
  for (const group of groups.rest()) yield* rowsOf(group);
}

/** The finding for a row whose product has already been emitted. */
export const SPLIT_GROUP: Finding = {
  column: null,
  code: 'split_group',
  message:
    'The row is too far from the other rows of its product: sort the file so that they are adjacent.',
};

function readGroup(
  {
    file,
    columns,
    group,
  }: { file: string; columns: readonly string[]; group: readonly FeedRecord[] },
  options: FeedOptions,
): CatalogRow[] {
  const [first, ...others] = group as [FeedRecord, ...FeedRecord[]];
  const { line, record } = first;
  const raw = { columns, rows: group.map(({ line, fields }) => ({ line, fields })) };
  const findings = new Findings({ file, line, record, raw });
  const id = shortText(first.raw('group')) || shortText(first.raw('id'));
  findings.externalId = id === '' || id.length > 200 ? null : id;
  const item = readFeedItem([first, ...others], findings, options);
  const rows: CatalogRow[] = findings.faults.map((fault) => ({ fault }));
  if (item !== null) rows.push({ item, file, line, record, raw });
  return rows;
}

/** Reads a row of a table. Commas separate the values of list attributes. */
export function feedRecordOfRow(row: CsvRow, columns: TableColumns<FeedAttribute>): FeedRecord {
  const { line, record, fields, problem } = row;
  return {
    line,
    record,
    fields,
    problem: problem === null ? null : csvFinding(problem),
    raw: (attribute) => columns.raw(fields, attribute),
    heading: (attribute) => columns.heading(attribute),
    list(attribute) {
      const cell = columns.raw(fields, attribute).trim();
      if (cell === '') return [];
      if (/^[[{]/.test(cell)) return listOfJson(cell);
      if (attribute === 'images') return cell.split(BETWEEN_URLS);
      return attribute === 'productType' ? [cell] : cell.split(/,(?=\s*\S)/);
    },
  };
}

/** A comma, also without an address after it, and whatever else stands before the next address. */
const BETWEEN_URLS = /,(?=\s*\S)|[\s;|]+(?=https?:)/i;

/** Reads JSON in a cell, which some feeds use: `{"color":"Blue"}`, `["https://…"]`. */
function listOfJson(cell: string): string[] {
  const { code, value } = parseJson(cell);
  return code === null ? textsOf(value) : [cell];
}

/** Reads an object of JSON Lines: text, numbers, lists, and objects of those. */
export function feedRecordOfObject(
  values: JsonObject,
  position: { line: number; record: number; fields: readonly string[] },
): FeedRecord {
  const names = new Map<FeedAttribute, string>();
  for (const name of Object.keys(values)) {
    const attribute = feedAttribute(name);
    if (attribute !== null && !names.has(attribute)) names.set(attribute, name);
  }
  const textsAt = (attribute: FeedAttribute) => textsOf(values[names.get(attribute) ?? '']);
  return {
    ...position,
    problem: null,
    raw: (attribute) => textsAt(attribute)[0] ?? '',
    heading: (attribute) => names.get(attribute) ?? attribute,
    list: textsAt,
  };
}

/** Values under the names of product feeds, from a format that has other names. */
export type FeedValues = Partial<Record<FeedAttribute, string | readonly string[]>>;

/** A record of another format in the terms of a feed. */
export interface FeedPart extends Pick<FeedRecord, 'line' | 'record' | 'fields' | 'problem'> {
  readonly values: FeedValues;
  /** The file's name for an attribute, for messages. */
  heading(attribute: FeedAttribute): string;
}

export function feedRecordOfPart(part: FeedPart): FeedRecord {
  const list = (attribute: FeedAttribute) => listOf(part.values[attribute]);
  return {
    line: part.line,
    record: part.record,
    fields: part.fields,
    problem: part.problem,
    heading: (attribute) => part.heading(attribute),
    raw: (attribute) => list(attribute)[0] ?? '',
    list,
  };
}

/** The texts of a value that are not blank. */
export function listOf(value: string | readonly string[] | undefined): string[] {
  return [value ?? []].flat().filter((text) => text !== '');
}

/** Scalars as text; each member of an object as `name:value`. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) =>
    textsOf(entry).map((text) => `${name}:${text}`),
  );
}
