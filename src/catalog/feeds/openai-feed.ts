import { headColumns, mappedName } from '../bytes/csv-table.ts';
import { readProductRecords, wrapsProducts } from '../bytes/json-elements.ts';
import { parseRecord } from '../bytes/json-text.ts';
import { Findings } from '../record/findings.ts';
import type { JsonObject } from '../record/json-fields.ts';
import {
  type CatalogFormat,
  type CatalogRow,
  columnUse,
  type FileHead,
  type ReaderOptions,
  type RecordText,
} from '../record/reader.ts';
import { feedAttribute, feedName } from './feed-attributes.ts';
import type { FeedRecord } from './feed-item.ts';
import { feedRecordOfObject, readFeed } from './feed-records.ts';
import { feedMarks, readFeedTable } from './google-feed.ts';

/** Names, current or former, in OpenAI's product feed but not in Google's. */
const MARKS: readonly string[] = [
  'is_eligible_search',
  'is_eligible_checkout',
  'enable_search',
  'enable_checkout',
  'item_id',
  'group_id',
  'listing_has_variations',
  'additional_image_urls',
  'variant_dict',
  'seller_name',
  'seller_url',
  'store_country',
  'target_countries',
  'popularity_score',
];

/** OpenAI's product feed as CSV or TSV. */
export const openaiTable: CatalogFormat = {
  name: 'openai-csv',
  detect(head) {
    const columns = headColumns(head);
    const mark = MARKS.find((name) => [...columns].some((column) => feedName(column) === name));
    const marks = mark === undefined ? null : feedMarks(columns);
    return marks && `the columns ${[...new Set([mark, ...marks])].join(', ')}`;
  },
  read: readFeedTable,
};

/** OpenAI's product feed as JSON Lines, one item or variant per line, or as one list, also under `products`. */
export const openaiJsonLines: CatalogFormat = {
  name: 'openai-jsonl',
  detect: detectRecords,
  read: (source, options) => readAll(source.name, readProductRecords(source.bytes), options),
  readRecords: readAll,
};

/** Detects the format by the names in the first object of a line or list. */
function detectRecords({ text, mapping }: FileHead): string | null {
  const isList = /^[\s\ufeff]*\[/.test(text) || wrapsProducts(text);
  const [line = ''] = text.split('\n').filter((each) => /^[ \t\ufeff]*\{/.test(each));
  const first = isList ? text : line;
  if (/"(?:variants|@type|externalId)"[ \t]*:/.test(first)) return null;
  const keys = [...first.matchAll(/"([\w ]+)"[ \t]*:/g)].map(([, key]) =>
    mappedName(key!, mapping),
  );
  const marks = feedMarks(new Set(keys));
  return marks && `${isList ? 'a JSON list' : 'JSON Lines'} with ${marks.join(', ')}`;
}

async function* readAll(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const names = new Set<string>();
  const feedRecords = async function* () {
    for await (const text of records) yield toRecord(file, text, { names, options });
  };
  yield* readFeed({ file, columns: [openaiJsonLines.name] }, feedRecords(), options);
  const isUsed = (name: string) => feedAttribute(mappedName(name, options.mapping)) !== null;
  options.onColumns?.(columnUse(names, isUsed));
}

function toRecord(
  file: string,
  text: RecordText,
  { names, options }: { names: Set<string>; options: ReaderOptions },
): FeedRecord {
  const { line, record } = text;
  const position = { line, record, fields: [text.text] };
  const raw = { columns: [], rows: [] };
  const findings = new Findings({ file, line, record, raw });
  const values = parseRecord(text, findings);
  const [fault] = findings.faults;
  if (values === null && fault !== undefined) {
    const { column, code, message } = fault;
    return { ...feedRecordOfObject({}, position), problem: { column, code, message } };
  }
  for (const name of Object.keys(values ?? {})) names.add(name);
  return feedRecordOfObject(withMappedNames(values ?? {}, options), position);
}

function withMappedNames(values: JsonObject, { mapping }: ReaderOptions): JsonObject {
  if (mapping === undefined || mapping.size === 0) return values;
  const named = Object.entries(values).map(
    ([name, value]) => [mapping.get(name.toLowerCase()) ?? name, value, name] as const,
  );
  // Mapped members come first to precede members with an equivalent name, and last to replace one with
  // the same name.
  const isMapped = ([to, , from]: (typeof named)[number]) => to !== from;
  const others = named.filter((member) => !isMapped(member));
  const mapped = named.filter(isMapped);
  return Object.fromEntries([...mapped, ...others, ...mapped]);
}
