import type { Offering } from '../../domain/catalog.ts';
import { parseWebUrl } from '../../domain/web-url.ts';
import type { Findings } from '../record/findings.ts';
import { IMAGE_COUNT_MAX, parseSlug } from '../record/values.ts';
import type { FeedAttribute } from './feed-attributes.ts';
import { type FeedOptions, readFeedItem } from './feed-item.ts';
import { type FeedPart, type FeedValues, feedRecordOfPart, listOf } from './feed-records.ts';

/** What each variant has of its own; it shares the rest with its product. */
const OF_VARIANTS: ReadonlySet<string> = new Set<FeedAttribute>([
  ...(['id', 'sku', 'gtin', 'image', 'images', 'availability', 'options'] as const),
  ...(['price', 'salePrice', 'saleFrom', 'saleUntil', 'compareAtPrice'] as const),
]);

/** A product and its variants; without any, the product stands for itself. */
export interface FeedGroup {
  readonly product: FeedPart;
  readonly members: readonly FeedPart[];
  /** The last part of the product's address on its site; `''` if unknown. */
  readonly slug: string;
  readonly isService?: boolean;
}

/** Reads a product whose variants inherit what they lack; null with the reason in `findings`. */
export function readFeedGroup(
  { product, members, slug, isService = false }: FeedGroup,
  findings: Findings,
  options: FeedOptions,
): Offering | null {
  const own = product.values;
  const group = externalIdOf(own);
  const shared = entriesOf(own, (name) => !OF_VARIANTS.has(name));
  const variants = members.map((member) => {
    const filled = entriesOf(member.values, (_, value) => listOf(value).length > 0);
    const values = { ...shared, ...filled, group, groupTitle: own.title ?? '' };
    return feedRecordOfPart({ ...member, values });
  });
  const alone = feedRecordOfPart({ ...product, values: { ...own, group: '' } });
  const [first = alone, ...others] = variants;
  const item = readFeedItem([first, ...others], findings, options);
  if (item === null) return null;
  const urls = [...listOf(own.image), ...listOf(own.images)].map(parseWebUrl);
  const images = [...new Set([...urls.filter((url) => url !== null), ...item.images])];
  return {
    ...item,
    kind: isService ? 'service' : 'product',
    slug: parseSlug(slug),
    image: images[0] ?? null,
    images: images.slice(0, IMAGE_COUNT_MAX),
  };
}

/** The external id of a product: that of its group, else its own. */
export function externalIdOf(values: FeedValues): string {
  return listOf(values.group)[0] ?? listOf(values.id)[0] ?? '';
}

function entriesOf(
  values: FeedValues,
  isKept: (name: string, value: string | readonly string[]) => boolean,
): FeedValues {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => isKept(name, value)));
}
