import { readXmlItems, XmlItemReader } from '../bytes/xml-items.ts';
import { externalIdOf, readFeedGroup } from '../feeds/feed-group.ts';
import { type FeedPart, SPLIT_GROUP } from '../feeds/feed-records.ts';
import { type Finding, Findings } from '../record/findings.ts';
import type { CatalogFormat, CatalogRow, ReaderOptions, RecordText } from '../record/reader.ts';
import { RecordGroups } from '../record/record-groups.ts';
import { NO_PARENT } from './woo-csv.ts';
import { headingOf, WordPressPost } from './wordpress-post.ts';

/** As in `RecordGroups`: an export has all products first, then their variations. */
const HELD_MAX = 64 * 1024 * 1024;

/** Most images whose addresses are remembered. */
const IMAGE_COUNT_MAX = 500_000;

/** WordPress's own export (WXR) with WooCommerce's products, their variations and images. */
export const wordpressXml: CatalogFormat = {
  name: 'wordpress-xml',
  storefront: 'woo',
  detect: ({ text }) =>
    /xmlns:wp\s*=\s*["']https?:\/\/wordpress\.org\/export\//.test(text)
      ? 'an RSS feed with WordPress’s elements'
      : null,
  read: (source, options) => readPosts(source.name, readXmlItems(source.bytes, ['item']), options),
  readRecords: readPosts,
};

/** One item that waits for others of its product. */
interface HeldItem extends RecordText {
  readonly type: string;
  readonly fields: readonly string[];
}

async function* readPosts(
  file: string,
  records: AsyncIterable<RecordText>,
  options: ReaderOptions,
): AsyncGenerator<CatalogRow> {
  const groups = new RecordGroups<HeldItem>(HELD_MAX);
  const context = { file, options, reader: new XmlItemReader(), images: new Map<string, string>() };
  for await (const item of records) {
    const type = elementText(item.text, 'post_type');
    const held = { ...item, type, fields: [item.text] };
    if (item.problem !== null) yield* refused(held, { file, finding: null });
    else if (type === 'attachment') {
      if (context.images.size < IMAGE_COUNT_MAX)
        context.images.set(
          elementText(item.text, 'post_id'),
          elementText(item.text, 'attachment_url'),
        );
    } else if (type === 'product' || type === 'product_variation') {
      const key = elementText(item.text, type === 'product' ? 'post_id' : 'post_parent');
      if (!groups.add(key, held)) yield* refused(held, { file, finding: SPLIT_GROUP });
      for (const group of groups.overflowing()) yield* readProduct(group, context);
    }
  }
  for (const group of groups.rest()) yield* readProduct(group, context);
}

/** The text of one of WordPress's elements, without reading the whole item. */
function elementText(text: string, name: string): string {
  const pattern = new RegExp(`<wp:${name}>(?:<!\\[CDATA\\[)?([^<\\]]*)`);
  return pattern.exec(text)?.[1]?.trim() ?? '';
}

interface PostContext {
  readonly file: string;
  readonly options: ReaderOptions;
  readonly reader: XmlItemReader;
  /** Addresses of images by the ids of their posts. */
  readonly images: ReadonlyMap<string, string>;
}

function* readProduct(
  items: readonly HeldItem[],
  { file, options, reader, images }: PostContext,
): Generator<CatalogRow> {
  const product = items.find(({ type }) => type === 'product');
  if (product === undefined) {
    for (const item of items) yield* refused(item, { file, finding: NO_PARENT });
    return;
  }
  const { line, record } = product;
  const variations = items.filter((item) => item !== product);
  const rows = [product, ...variations].map(({ line, fields }) => ({ line, fields }));
  const raw = { columns: [wordpressXml.name], rows };
  const findings = new Findings({ file, line, record, raw });
  const elements = reader.readItem(product);
  if ('code' in elements) {
    findings.error(elements);
    for (const fault of findings.faults) yield { fault };
    return;
  }
  const post = new WordPressPost(elements, images);
  const own = post.product();
  findings.externalId = externalIdOf(own) || null;
  const part = ({ line, record, fields }: HeldItem): Omit<FeedPart, 'values'> => ({
    line,
    record,
    fields,
    problem: null,
    heading: headingOf,
  });
  const members = variations.flatMap((item): FeedPart[] => {
    const found = reader.readItem(item);
    if ('code' in found) return [{ ...part(item), problem: found, values: {} }];
    const variation = new WordPressPost(found, images);
    return variation.isPublished ? [{ ...part(item), values: variation.variation(post) }] : [];
  });
  if (!post.isPublished) findings.warning(NOT_PUBLISHED);
  const group = { product: { ...part(product), values: own }, members, slug: post.slug };
  const item = post.isPublished ? readFeedGroup(group, findings, options) : null;
  for (const fault of findings.faults) yield { fault };
  if (item !== null) yield { item, file, line, record, raw };
}

const NOT_PUBLISHED: Finding = {
  column: 'wp:status',
  code: 'not_published',
  message: 'The product is not published, or hidden from the catalogue; it was left out.',
};

/** Reports an item by itself, for `finding` or for its own problem. */
function* refused(
  item: HeldItem,
  { file, finding }: { file: string; finding: Finding | null },
): Generator<CatalogRow> {
  const { line, record, text, problem } = item;
  const raw = { columns: [wordpressXml.name], rows: [{ line, fields: [text] }] };
  const findings = new Findings({ file, line, record, raw });
  const found = new XmlItemReader().readItem({ text, problem });
  const own = 'code' in found ? found : null;
  const reason = finding ?? own;
  if (reason !== null) findings.error(reason);
  for (const fault of findings.faults) yield { fault };
}
