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

function pieces(text: string, lengthMax = 256, skipsCodes = false): string[] {
  return tokenizer.encode(text, { lengthMax, skipsCodes }).map((id) => ALL[id]!);
}

describe('WordPiece', () => {
  test.each([
    ['an empty text has only [CLS] and [SEP]', '', []],
    ['white space is ignored', ' \t\n\u00a0\u3000', []],
    ['the longest piece is taken first', 'sofa', ['sofa']],
    ['later pieces of a word are continuations', 'sob ab bob', ['so', '##b', 'a', '##b', '[UNK]']],
    ['case and accents are ignored', 'CAFÉ cafe\u0301 İSTANBUL', ['cafe', 'cafe', 'istanbul']],
    ['a capital sigma becomes σ in any position', 'ΣΣ', ['σ', '##σ']],
    ['each punctuation mark is a word', 'red-sofa,$1!', ['red', '-', 'sofa', ',', '$', '1', '!']],
    ['each ideograph is a word, in every plane', '沙发𠀀', ['沙', '发', '𠀀']],
    ['hangul is split into jamo', '가', [HANGUL]],
    ['only emoji in the vocabulary are known', '😀 🛋', ['😀', '[UNK]']],
    ['controls and byte order marks are ignored', 'so\u0000\ufeff\u200bfa', ['sofa']],
    ['a lone surrogate is ignored', 'red\ud800', ['red']],
    ['names of special tokens are ordinary text', '[CLS]', ['[', 'cl', '##s', ']']],
  ])('%s', (_, text, expected) => {
    expect(pieces(text)).toEqual(['[CLS]', ...expected, '[SEP]']);
  });

  test('a word of 100 characters is known, one of 101 is not', () => {
    expect(pieces(`a${'b'.repeat(99)}`)).toHaveLength(102);
    expect(pieces(`a${'b'.repeat(100)}`)).toEqual(['[CLS]', '[UNK]', '[SEP]']);
  });

  test('truncates a text at the limit, even inside a word', () => {
    expect(pieces('red abbb', 5)).toEqual(['[CLS]', 'red', 'a', '##b', '[SEP]']);
    expect(pieces('red '.repeat(1000), 256)).toHaveLength(256);
  });

  test('skips codes if asked to, but no measures, plain words or only words', () => {
    expect(pieces('1bs sofa 1b sobs', 256, true)).toEqual(
      '[CLS] sofa 1 ##b so ##b ##s [SEP]'.split(' '),
    );
    expect(pieces('1bs sofa')).toEqual('[CLS] 1 ##b ##s sofa [SEP]'.split(' '));
    expect(pieces('1bs 1bb', 256, true)).toEqual('[CLS] 1 ##b ##s 1 ##b ##b [SEP]'.split(' '));
  });

  test('refuses a vocabulary without the special tokens', () => {
    expect(() => wordPieceTokenizer('sofa\n')).toThrow('[CLS]');
  });
});
