import { Tokenizer } from '@huggingface/tokenizers';
import type { Json, ModelFolder } from './model-folder.ts';
import { precompiledNormalizer } from './precompiled-normalizer.ts';

/**
 * Characters read for each token that a model takes: hardly any token is longer. The library reads
 * whole texts, however long.
 */
const CHARACTERS_PER_TOKEN = 20;

/** Texts that have tokens of their own in any vocabulary, to find the special tokens around them. */
const PROBES = ['a', 'e', '1', '的'];

export interface FolderTokenizer {
  /** The ids of the text's tokens with the special tokens around them, at most `tokensMax` in all. */
  encode(text: string): number[];
}

/** The tokenizer that `tokenizer.json` defines. Throws if the library does not know one of its parts. */
export function folderTokenizer(folder: ModelFolder): FolderTokenizer {
  const { tokenizer: definition, tokenizerConfig, tokensMax } = folder;
  const tokenizer = new Tokenizer(definition, tokenizerConfig);
  normalizeExactly(tokenizer.normalizer, definition['normalizer']);
  const content = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const { before, after } = specialTokens(tokenizer, content);
  const contentMax = tokensMax - before.length - after.length;
  return {
    encode(text) {
      const start = text.slice(0, tokensMax * CHARACTERS_PER_TOKEN);
      return [...before, ...content(start).slice(0, contentMax), ...after];
    },
  };
}

/** The special tokens that the post-processor puts before and after a text. */
function specialTokens(
  tokenizer: Tokenizer,
  content: (text: string) => number[],
): { before: number[]; after: number[] } {
  for (const probe of PROBES) {
    const ids = content(probe);
    const all = tokenizer.encode(probe).ids;
    const at = all.findIndex((_, start) => ids.every((id, place) => all[start + place] === id));
    if (ids.length > 0 && at >= 0)
      return { before: all.slice(0, at), after: all.slice(at + ids.length) };
  }
  return { before: [], after: [] };
}

interface Normalizing {
  normalize(text: string): string;
  readonly normalizers?: readonly Normalizing[];
}

/** The library approximates a character map by NFKC; this applies the map itself. */
function normalizeExactly(normalizer: Normalizing | null, definition: unknown): void {
  if (normalizer === null) return;
  const { type, normalizers, precompiled_charsmap: map } = definition as Json;
  if (type === 'Precompiled' && typeof map === 'string')
    normalizer.normalize = precompiledNormalizer(map);
  if (!Array.isArray(normalizers)) return;
  for (const [at, each] of normalizers.entries())
    normalizeExactly(normalizer.normalizers?.[at] ?? null, each);
}
