import { errorsCsvOf } from './errors-csv.ts';
import { acpFeed } from './feeds/acp-feed.ts';
import { googleTable, googleXml } from './feeds/google-feed.ts';
import { openaiJsonLines, openaiTable } from './feeds/openai-feed.ts';
import { jsonLines } from './own/json-lines.ts';
import { markdownContexts } from './own/markdown-contexts.ts';
import type { CatalogFormat, FileHead } from './record/reader.ts';
import { shopifyCsv } from './shopify/shopify-csv.ts';
import { shopifyJson } from './shopify/shopify-json.ts';
import { htmlPage } from './web-page/html-page.ts';
import { jsonLd } from './web-page/json-ld.ts';
import { wooCsv } from './woo/woo-csv.ts';

const CATALOG_FORMATS: readonly CatalogFormat[] = [
  shopifyCsv,
  wooCsv,
  openaiTable,
  googleTable,
  googleXml,
  jsonLines,
  acpFeed,
  openaiJsonLines,
  shopifyJson,
  jsonLd,
  markdownContexts,
  htmlPage,
];

/** Every format; of several that a file could be, the first is taken. */
export const FORMATS: readonly CatalogFormat[] = [errorsCsvOf(CATALOG_FORMATS), ...CATALOG_FORMATS];

export interface Detection {
  readonly format: CatalogFormat;
  /** What told it, for a person to read. */
  readonly evidence: string;
  /** Names of the formats that it could also be. */
  readonly others: readonly string[];
}

/** The format of a file by how it begins, and of Markdown by its name too. Null if it is none of ours. */
export function detectFormat(head: FileHead): Detection | null {
  const found = FORMATS.flatMap((format) => {
    const evidence = format.detect(head);
    return evidence === null ? [] : [{ format, evidence }];
  });
  const [first, ...others] = found;
  return first === undefined ? null : { ...first, others: others.map(({ format }) => format.name) };
}

/** The format that `--format` names, or null. */
export function formatNamed(name: string): CatalogFormat | null {
  return FORMATS.find((format) => format.name === name) ?? null;
}
