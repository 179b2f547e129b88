/**
 * Writes a feed of generated offerings in vitrine's own JSON Lines. The same arguments give the
 * same feed.
 *
 *   bun scripts/make-feed.ts FILE --rows 100000                    about 350 bytes each
 *   bun scripts/make-feed.ts FILE --megabytes 1000 --words 200     until the file is that large
 *   bun scripts/make-feed.ts FILE --rows 100000 --vocabulary 50000 with as many distinct words
 */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { feedLines } from './bench/feed.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string' },
    megabytes: { type: 'string' },
    words: { type: 'string', default: '18' },
    vocabulary: { type: 'string' },
  },
});
const [file] = positionals;
if (file === undefined || (values.rows ?? values.megabytes) === undefined)
  throw new Error(
    'usage: bun scripts/make-feed.ts FILE --rows N | --megabytes N [--words N] [--vocabulary N]',
  );
const limit = {
  rows: Number(values.rows ?? Number.POSITIVE_INFINITY),
  bytes: Number(values.megabytes ?? Number.POSITIVE_INFINITY) * 1e6,
};
const words = Number(values.words);
const vocabulary = values.vocabulary === undefined ? undefined : Number(values.vocabulary);
await pipeline(feedLines({ ...limit, words, vocabulary }), createWriteStream(file));
