import { describe, expect, test } from 'bun:test';
import { wordPieceTokenizer } from '../../src/models/word-piece.ts';

const PIECES = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'so',
  '##fa',
  'sofa',
  'cafe',
  'a',
  '##b',
  '[',
  ']',
  'cl',
  '##s',
];
const MORE = [
  ',',
  '-',
  '沙',
  '发',
  '𠀀',
  'σ',
  '##ς',
  '##σ',
  'istanbul',
  '가',
  '😀'.normalize('NFD'),
  'red',
  '!',
  '$',
  '1',
];
const HANGUL = '가'.normalize('NFD');
const ALL = [...PIECES, ...MORE, HANGUL];
const tokenizer = wordPieceTokenizer(`${ALL.join('\n')}\n`);

function pieces(text: string, lengthMax = 256): string[] {
  return tokenizer.encode(text, lengthMax).map((id) => ALL[id]!);
}

describe('WordPiece', () => {
  test.each([
    ['an empty text is its two ends', '', []],
    ['white space is nothing', ' \t\n\u00a0\u3000', []],
    ['the longest piece is taken first', 'sofa', ['sofa']],
    ['a word goes on in continuations', 'sob ab bob', ['so', '##b', 'a', '##b', '[UNK]']],
    ['case and accents do not matter', 'CAFÉ cafe\u0301 İSTANBUL', ['cafe', 'cafe', 'istanbul']],
    ['a capital sigma is σ wherever it stands', 'ΣΣ', ['σ', '##σ']],
    ['punctuation stands alone', 'red-sofa,$1!', ['red', '-', 'sofa', ',', '$', '1', '!']],
    ['each ideograph is a word, in every plane', '沙发𠀀', ['沙', '发', '𠀀']],
    ['hangul is read by its letters', '가', [HANGUL]],
    ['an emoji that is a piece is found, others are unknown', '😀 🛋', ['😀', '[UNK]']],
    ['controls and byte order marks are invisible', 'so\u0000\ufeff\u200bfa', ['sofa']],
    ['a lone surrogate does no harm', 'red\ud800', ['red']],
    ['names of special tokens are ordinary text', '[CLS]', ['[', 'cl', '##s', ']']],
  ])('%s', (_, text, expected) => {
    expect(pieces(text)).toEqual(['[CLS]', ...expected, '[SEP]']);
  });

  test('a word of 100 characters is read, one of 101 is unknown', () => {
    expect(pieces(`a${'b'.repeat(99)}`)).toHaveLength(102);
    expect(pieces(`a${'b'.repeat(100)}`)).toEqual(['[CLS]', '[UNK]', '[SEP]']);
  });

  test('a text is cut at the limit, also inside a word', () => {
    expect(pieces('red abbb', 5)).toEqual(['[CLS]', 'red', 'a', '##b', '[SEP]']);
    expect(pieces('red '.repeat(1000), 256)).toHaveLength(256);
  });

  test('a vocabulary without the special tokens is refused', () => {
    expect(() => wordPieceTokenizer('sofa\n')).toThrow('[CLS]');
  });
});
