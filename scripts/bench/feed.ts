const WORDS =
  'lamp brass red blue cotton shirt steel cup mug garden chair table wooden rug oak linen shoe bag leather wool green small large soft warm light heavy classic modern outdoor'.split(
    ' ',
  );

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = [...CONSONANTS].flatMap((one) => [...VOWELS].map((other) => one + other));

/**
 * The offset of the Zipf–Mandelbrot distribution: with it, the most frequent of 50,000 words is in
 * one of eight texts of 20 words, as in a catalogue without stop words.
 */
const ZIPF_OFFSET = 20;

/** Approximate size of an output chunk in characters. */
const PIECE_LENGTH = 64 * 1024;

export interface FeedOptions {
  readonly rows: number;
  readonly bytes: number;
  /** Words per description. */
  readonly words: number;
  /**
   * Distinct words, invented and distributed as words of a language are. By default some thirty
   * equally frequent English ones, so that every question matches most of the feed.
   */
  readonly vocabulary?: number | undefined;
  /** Another seed gives other texts for the same ids. */
  readonly seed?: number;
}

/** Offerings in vitrine's own JSON Lines, up to a number of `rows` or `bytes`. */
export function* feedLines(options: FeedOptions): Generator<string> {
  let piece = '';
  let bytes = 0;
  for (const offering of feedOfferings(options)) {
    if (bytes >= options.bytes) break;
    const line = `${JSON.stringify(offering)}\n`;
    bytes += line.length;
    piece += line;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** As `feedLines`, as objects and without a limit of bytes. */
export function* feedOfferings({ rows, words, vocabulary, seed = 7 }: Omit<FeedOptions, 'bytes'>) {
  let state = seed;
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return wordAt(state / 2 ** 32, vocabulary);
  };
  for (let row = 0; row < rows; row++)
    yield {
      externalId: `sku-${row}`,
      name: [word(), word(), word(), row].join(' '),
      description: Array.from({ length: words }, word).join(' '),
      price: `${(row % 200) + 1}.99`,
      vendor: word(),
      productType: word(),
      sku: `SKU-${row}`,
      image: `https://cdn.example/images/${row}.jpg`,
      publicUrl: `https://shop.example/products/${row}`,
    };
}

/** The word at a place from 0 to 1 of the distribution. */
function wordAt(place: number, vocabulary: number | undefined): string {
  if (vocabulary === undefined) return WORDS[Math.floor(place * WORDS.length)]!;
  const rank = ZIPF_OFFSET * (1 + vocabulary / ZIPF_OFFSET) ** place - ZIPF_OFFSET;
  let rest = Math.floor(rank);
  let word = '';
  do {
    word += SYLLABLES[rest % SYLLABLES.length]!;
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0 || word.length < 4);
  return word;
}
