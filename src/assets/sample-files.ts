import { readdirSync, readFileSync } from 'node:fs';

/*
 * Seam: a compiled binary has no source folder. Its build replaces this module with one whose
 * `sampleFiles()` returns the same texts from memory.
 */

/** The files of the sample catalogue. */
export interface SampleFiles {
  /** JSON Lines; image paths are relative to the path at which the images are served. */
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
