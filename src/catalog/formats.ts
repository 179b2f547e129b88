import { errorsCsvOf } from './errors-csv.ts';
import { acpFeed } from './feeds/acp-feed.ts';
import { googleTable, googleXml } from './feeds/google-feed.ts';
import { openaiJsonLines, openaiTable } from './feeds/openai-feed.ts';
import { ymlFeed } from './feeds/yml-feed.ts';
import { table } from './guess-table.ts';
import { jsonLines } from './own/json-lines.ts';
import { markdownContexts } from './own/markdown-contexts.ts';
import type { CatalogFormat, FileHead } from './record/reader.ts';
import { amazonFlatFile } from './shop-tables/amazon.ts';
import { bigcommerceCsv } from './shop-tables/bigcommerce.ts';
import { etsyCsv } from './shop-tables/etsy.ts';
import { magentoCsv } from './shop-tables/magento.ts';
import { prestashopCsv } from './shop-tables/prestashop.ts';
import { shopwareCsv } from './shop-tables/shopware.ts';
import { squarespaceCsv } from './shop-tables/squarespace.ts';
import { wixCsv } from './shop-tables/wix.ts';
import { shopifyCsv } from './shopify/shopify-csv.ts';
import { shopifyJson } from './shopify/shopify-json.ts';
import { htmlPage } from './web-page/html-page.ts';
import { jsonLd } from './web-page/json-ld.ts';
import { wooCsv } from './woo/woo-csv.ts';
import { wordpressXml } from './woo/wordpress-xml.ts';

const CATALOG_FORMATS: readonly CatalogFormat[] = [
  shopifyCsv,
  wooCsv,
  magentoCsv,
  wixCsv,
  etsyCsv,
  squarespaceCsv,
  bigcommerceCsv,
  prestashopCsv,
  shopwareCsv,
  amazonFlatFile,
  openaiTable,
  googleTable,
  googleXml,
  ymlFeed,
  wordpressXml,
  jsonLines,
  acpFeed,
  openaiJsonLines,
  shopifyJson,
  jsonLd,
  markdownContexts,
  htmlPage,
  table,
];

/** Every format. If several match a file, the first wins. */
export const FORMATS: readonly CatalogFormat[] = [errorsCsvOf(CATALOG_FORMATS), ...CATALOG_FORMATS];

export interface Detection {
  readonly format: CatalogFormat;
  /** What the detection is based on, for messages. */
  readonly evidence: string;
  /** Names of the other formats that match as well. */
  readonly others: readonly string[];
}

/** Detects the format of a file by its first bytes, or Markdown by its name. Null if no format matches. */
export function detectFormat(head: FileHead): Detection | null {
  const found = FORMATS.flatMap((format) => {
    const evidence = format.detect(head);
    return evidence === null ? [] : [{ format, evidence }];
  });
  const [first, ...others] = found;
  const rivals = others.filter(({ format }) => format.isGeneral !== true);
  return first === undefined ? null : { ...first, others: rivals.map(({ format }) => format.name) };
}

/** The format that `--format` names, or null. */
export function formatNamed(name: string): CatalogFormat | null {
  return FORMATS.find((format) => format.name === name) ?? null;
}
