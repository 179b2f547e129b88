import { errorsCsv } from './errors-csv.ts';
import { jsonLines } from './json-lines.ts';
import { markdownContexts } from './markdown-contexts.ts';
import type { CatalogFormat } from './reader.ts';
import { shopifyCsv } from './shopify-csv.ts';

/** Every format, the ones that are easiest to tell first. */
export const FORMATS: readonly CatalogFormat[] = [
  errorsCsv,
  shopifyCsv,
  jsonLines,
  markdownContexts,
];

/**
 * The format of a file by its first 64 KiB as text; a name alone decides nothing. Null if it is
 * none of ours.
 */
export function detectFormat(head: string, fileName: string): CatalogFormat | null {
  return FORMATS.find((format) => format.detect(head, fileName)) ?? null;
}

/** The format that `--format` names, or null. */
export function formatNamed(name: string): CatalogFormat | null {
  return FORMATS.find((format) => format.name === name) ?? null;
}
