const WORDS =
  'lamp brass red blue cotton shirt steel cup mug garden chair table wooden rug oak linen shoe bag leather wool green small large soft warm light heavy classic modern outdoor'.split(
    ' ',
  );

/** Approximate size of an output chunk in characters. */
const PIECE_LENGTH = 64 * 1024;

/**
 * Offerings in vitrine's own JSON Lines, up to a number of `rows` or `bytes`, with a given number
 * of words per description.
 */
export function* feedLines(limit: {
  readonly rows: number;
  readonly bytes: number;
  readonly words: number;
}): Generator<string> {
  let state = 7;
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[Math.floor((state / 2 ** 32) * WORDS.length)]!;
  };
  let piece = '';
  let bytes = 0;
  for (let row = 0; row < limit.rows && bytes < limit.bytes; row++) {
    const line = `${JSON.stringify({
      externalId: `sku-${row}`,
      name: [word(), word(), word(), row].join(' '),
      description: Array.from({ length: limit.words }, word).join(' '),
      price: `${(row % 200) + 1}.99`,
      vendor: word(),
      productType: word(),
      sku: `SKU-${row}`,
      image: `https://cdn.example/images/${row}.jpg`,
      publicUrl: `https://shop.example/products/${row}`,
    })}\n`;
    bytes += line.length;
    piece += line;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
