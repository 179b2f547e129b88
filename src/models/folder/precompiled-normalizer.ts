/*
 * The `Precompiled` normalizer of Hugging Face's tokenizers: SentencePiece's map from character
 * sequences to their replacements, as a double-array trie (Aoe 1989, in the layout of darts-clone).
 */

/** Longer grapheme clusters, in bytes, are looked up character by character. */
const CLUSTER_BYTES_MAX = 5;

/** Most grapheme clusters whose replacement is remembered. */
const REMEMBERED_MAX = 10_000;

const HAS_LEAF = 1 << 8;
const IS_WIDE = 1 << 9;
/** A value's unit has the highest bit set, so that its label equals no byte. */
const LABEL = 0x8000_00ff;
const VALUE = 0x7fff_ffff;

/** `base64`: the `precompiled_charsmap` of a `tokenizer.json`. Throws if it is damaged. */
export function precompiledNormalizer(base64: string): (text: string) => string {
  const find = charsmap(Buffer.from(base64, 'base64'));
  const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const remembered = new Map<string, string>();
  const replace = (cluster: string): string => {
    const whole = Buffer.byteLength(cluster) <= CLUSTER_BYTES_MAX ? find(cluster) : null;
    return whole ?? Array.from(cluster, (character) => find(character) ?? character).join('');
  };
  return (text) => {
    let normalized = '';
    for (const { segment } of clusters.segment(text)) {
      let replacement = remembered.get(segment);
      if (replacement === undefined) {
        replacement = replace(segment);
        if (remembered.size < REMEMBERED_MAX) remembered.set(segment, replacement);
      }
      normalized += replacement;
    }
    return normalized;
  };
}

/**
 * Finds the replacement of the shortest mapped beginning of a key, or null if none is mapped. The
 * reference implementation replaces the whole key by it, and so does this.
 */
function charsmap(bytes: Buffer): (key: string) => string | null {
  const trieBytes = bytes.length < 4 ? Number.NaN : bytes.readUInt32LE(0);
  if (!(trieBytes % 4 === 0 && trieBytes > 0 && 4 + trieBytes < bytes.length))
    throw new Error('the character map of the tokenizer is damaged');
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, at) =>
    bytes.readUInt32LE(4 + 4 * at),
  );
  const replacements = bytes.subarray(4 + trieBytes);
  const offset = (unit: number) => (unit >>> 10) << ((unit & IS_WIDE) >>> 6);
  return (key) => {
    let at = offset(units[0]!);
    for (const byte of Buffer.from(key)) {
      if (byte === 0) return null;
      at ^= byte;
      const unit = units[at] ?? 0;
      if ((unit & LABEL) >>> 0 !== byte) return null;
      at ^= offset(unit);
      if ((unit & HAS_LEAF) !== 0) {
        const start = (units[at] ?? 0) & VALUE;
        return replacements.toString('utf8', start, replacements.indexOf(0, start));
      }
    }
    return null;
  };
}
