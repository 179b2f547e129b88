import { readdirSync, readFileSync } from 'node:fs';

/*
 * Seam: a compiled binary has no folder beside it. Its build replaces the content of this module by
 * one whose `sampleFiles()` returns the same texts from within.
 */

/** The sample catalogue as its files hold it. */
export interface SampleFiles {
  /** JSON Lines; pictures are named relative to wherever they are served. */
  readonly offerings: string;
  /** Markdown with front matter. */
  readonly contexts: readonly { readonly name: string; readonly text: string }[];
}

export function sampleFiles(): SampleFiles {
  const folder = new URL('./sample/', import.meta.url);
  const names = readdirSync(new URL('contexts/', folder)).sort();
  return {
    offerings: readFileSync(new URL('offerings.jsonl', folder), 'utf8'),
    contexts: names.map((name) => ({
      name,
      text: readFileSync(new URL(`contexts/${name}`, folder), 'utf8'),
    })),
  };
}
