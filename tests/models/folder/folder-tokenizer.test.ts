import { expect, test } from 'bun:test';
import { folderTokenizer } from '../../../src/models/folder/folder-tokenizer.ts';
import type { Json, ModelFolder } from '../../../src/models/folder/model-folder.ts';
import { byteFallback, byteLevel, unigram, wordPiece } from './small-tokenizers.ts';

function tokenizer(definition: Json, tokensMax = 512) {
  return folderTokenizer({ tokenizer: definition, tokenizerConfig: {}, tokensMax } as ModelFolder);
}

const TEXTS = [
  'red chairs!',
  'CAFÉ 茶',
  'red red',
  'ﬁve chairs\u00a0Ａ',
  '🪑',
  'e\u0301',
  '',
  'ab </s>',
];

// The ids that the reference implementation gives: tokenizers 0.23.3 from PyPI.
test.each<[string, Json, number[][]]>([
  [
    'WordPiece',
    wordPiece,
    [
      ...[
        [2, 4, 5, 6, 8, 3],
        [2, 7, 9, 3],
        [2, 4, 4, 3],
        [2, 1, 5, 6, 1, 3],
        [2, 1, 3],
      ],
      ...[
        [2, 1, 3],
        [2, 3],
        [2, 1, 1, 1, 1, 1, 3],
      ],
    ],
  ],
  [
    'byte-level BPE',
    byteLevel,
    [
      [0, 260, 262, 100, 108, 117, 118, 36, 2],
      [0, 70, 68, 73, 198, 140, 35, 235, 143, 185, 2],
      [0, 260, 35, 260, 2],
      [0, 242, 175, 132, 121, 104, 262, 100, 108, 117, 118, 197, 163, 242, 191, 164, 2],
      ...[
        [0, 243, 162, 173, 148, 2],
        [0, 104, 207, 132, 2],
        [0, 2],
        [0, 100, 101, 35, 2, 2],
      ],
    ],
  ],
  [
    'BPE with unknown characters as bytes',
    byteFallback,
    [
      [1, 265, 259, 102, 107, 100, 108, 260, 118, 36, 2],
      [1, 259, 70, 68, 73, 198, 140, 259, 235, 143, 185, 2],
      [1, 265, 265, 2],
      [
        1, 259, 242, 175, 132, 121, 261, 259, 102, 107, 100, 108, 260, 118, 197, 163, 242, 191, 164,
        2,
      ],
      ...[
        [1, 259, 243, 162, 173, 148, 2],
        [1, 259, 261, 207, 132, 2],
        [1, 2],
      ],
      [1, 259, 100, 101, 259, 2, 2],
    ],
  ],
  [
    'Unigram with a map of characters',
    unigram,
    [
      ...[
        [0, 4, 3, 5, 6, 3, 2],
        [0, 4, 3, 10, 3, 4, 3, 2],
        [0, 4, 3, 4, 3, 2],
      ],
      ...[
        [0, 7, 8, 5, 6, 4, 10, 2],
        [0, 4, 3, 2],
        [0, 4, 3, 2],
        [0, 2],
        [0, 4, 3, 2, 2],
      ],
    ],
  ],
])('%s gives the ids of the reference implementation', (_, definition, ids) => {
  const { encode } = tokenizer(definition);
  expect(TEXTS.map((text) => encode(text))).toEqual(ids);
});

test('a text that is too long loses its end and keeps the special tokens', () => {
  expect(tokenizer(wordPiece, 4).encode('red chair red red')).toEqual([2, 4, 5, 3]);
  expect(tokenizer(wordPiece, 4).encode('red '.repeat(100_000))).toEqual([2, 4, 4, 3]);
});

test('a map of characters that is cut off is refused', () => {
  const normalizer = { type: 'Precompiled', precompiled_charsmap: 'AAAA' };
  expect(() => tokenizer({ ...unigram, normalizer })).toThrow('damaged');
});
