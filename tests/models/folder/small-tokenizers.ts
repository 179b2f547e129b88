/*
 * A small tokenizer of each kind, as `tokenizer.json` defines it. Each knows a few words of a shop.
 */

const SPECIAL = { single_word: false, lstrip: false, rstrip: false, normalized: false };

function added(contents: readonly string[]) {
  return contents.map((content, id) => ({ id, content, ...SPECIAL, special: true }));
}

function template(before: [string, number], after: [string, number]) {
  const piece = ([id]: [string, number]) => ({ SpecialToken: { id, type_id: 0 } });
  const token = ([id, number]: [string, number]) => ({ id, ids: [number], tokens: [id] });
  return {
    type: 'TemplateProcessing',
    single: [piece(before), { Sequence: { id: 'A', type_id: 0 } }, piece(after)],
    pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: { [before[0]]: token(before), [after[0]]: token(after) },
  };
}

function idsOf(tokens: readonly string[]): Record<string, number> {
  return Object.fromEntries(tokens.map((token, id) => [token, id]));
}

/** As BERT and MiniLM: lower case without accents, `##` for the rest of a word. */
export const wordPiece = {
  added_tokens: added(['[PAD]', '[UNK]', '[CLS]', '[SEP]']),
  normalizer: {
    type: 'BertNormalizer',
    ...{ clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: template(['[CLS]', 2], ['[SEP]', 3]),
  decoder: null,
  model: {
    type: 'WordPiece',
    ...{ unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
    vocab: idsOf([
      ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'red', 'chair', '##s', 'cafe', '!', '茶', 'a', 'b'],
    ]),
  },
};

/** The characters that stand for the 256 bytes in a byte-level vocabulary, as GPT-2 numbers them. */
function byteLetters(): string[] {
  const isShown = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isShown(byte) ? byte : next++),
  );
}

/** As RoBERTa and Qwen: merges over bytes, so that no text is unknown. */
export const byteLevel = {
  added_tokens: added(['<s>', '<pad>', '</s>']),
  normalizer: null,
  pre_tokenizer: {
    type: 'ByteLevel',
    ...{ add_prefix_space: false, trim_offsets: true, use_regex: true },
  },
  post_processor: {
    type: 'RobertaProcessing',
    ...{ sep: ['</s>', 2], cls: ['<s>', 0], trim_offsets: true, add_prefix_space: false },
  },
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: 'BPE',
    ...{ dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '' },
    ...{ fuse_unk: false, byte_fallback: false },
    vocab: idsOf(['<s>', '<pad>', '</s>', ...byteLetters(), 're', 'red', 'Ġc', 'Ġch']),
    merges: ['r e', 're d', 'Ġ c', 'Ġc h'],
  },
};

/** As Gemma: merges over characters, blanks as `▁`, unknown characters as bytes. */
export const byteFallback = {
  added_tokens: added(['<unk>', '<s>', '</s>']),
  normalizer: {
    type: 'Sequence',
    normalizers: [
      { type: 'Prepend', prepend: '▁' },
      { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
    ],
  },
  pre_tokenizer: null,
  post_processor: template(['<s>', 1], ['</s>', 2]),
  decoder: null,
  model: {
    type: 'BPE',
    ...{ dropout: null, unk_token: '<unk>', continuing_subword_prefix: null },
    ...{ end_of_word_suffix: null, fuse_unk: true, byte_fallback: true },
    vocab: idsOf([
      ...['<unk>', '<s>', '</s>'],
      ...Array.from({ length: 256 }, (_, byte) => {
        return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
      }),
      ...['▁', 'r', 'e', 'd', 're', 'red', '▁red'],
    ]),
    merges: ['r e', 're d', '▁ red'],
  },
};

/**
 * A map of `ﬁ` to `fi`, of full-width `Ａ` to `A` and of a no-break space to a space, as SentencePiece
 * writes it.
 */
const CHARSMAP = [
  'AAQAAAAMAwDCjAIAoAUAAAAAAICsAAIAgQ0AAAQAAIChPQAAAgAAgAgAAAALAAAACgAAAA0AAAAMAAAADwAAAA4A',
  'AAARAAAAEAAAABMAAAASAAAAvMgCABQAAAAXAAAAFgAAABkAAAAYAAAAGwAAABoAAAAdAAAAHAAAAB8AAAAeAAAA',
  'IQAAACAAAAAjAAAAIgAAACUAAAAkAAAAJwAAACYAAAApAAAAKAAAACsAAAAqAAAA7xACACwAAAAvAAAALgAAADEA',
  'AAAwAAAAMwAAADIAAAA1AAAANAAAADcAAAA2AAAAOQAAADgAAAA7AAAAOgAAAD0AAAA8AAAAPwAAAD4AAABBAAAA',
  'QAAAAEMAAABCAAAARQAAAEQAAABHAAAARgAAAEkAAABIAAAASwAAAEoAAABNAAAATAAAAE8AAABOAAAAUQAAAFAA',
  'AABTAAAAUgAAAFUAAABUAAAAVwAAAFYAAABZAAAAWAAAAFsAAABaAAAAXQAAAFwAAABfAAAAXgAAAGEAAABgAAAA',
  'YwAAAGIAAABlAAAAZAAAAGcAAABmAAAAaQAAAGgAAABrAAAAagAAAG0AAABsAAAAbwAAAG4AAABxAAAAcAAAAHMA',
  'AAByAAAAdQAAAHQAAAB3AAAAdgAAAHkAAAB4AAAAewAAAHoAAAB9AAAAfAAAAH8AAAB+AAAAgQAAAIAAAACDAAAA',
  'ggAAAIUAAACEAAAAhwAAAIYAAACJAAAAiAAAAIsAAACKAAAAjQAAAIwAAACPAAAAjgAAAJEAAACQAAAAkwAAAJIA',
  'AACVAAAAlAAAAJcAAACWAAAAmQAAAJgAAACbAAAAmgAAAJ0AAACcAAAAnwAAAJ4AAAChAAAAoAAAAKMAAACiAAAA',
  'pQAAAKQAAACnAAAApgAAAKkAAACoAAAAqwAAAKoAAACtAAAArAAAAK8AAACuAAAAsQAAALAAAACzAAAAsgAAALUA',
  'AAC0AAAAtwAAALYAAAC5AAAAuAAAALsAAAC6AAAAvQAAALwAAAC/AAAAvgAAAMEAAADAAAAAwwAAAMIAAADFAAAA',
  'xAAAAMcAAADGAAAAyQAAAMgAAADLAAAAygAAAM0AAADMAAAAzwAAAM4AAADRAAAA0AAAANMAAADSAAAA1QAAANQA',
  'AADXAAAA1gAAANkAAADYAAAA2wAAANoAAADdAAAA3AAAAN8AAADeAAAA4QAAAOAAAADjAAAA4gAAAOUAAADkAAAA',
  '5wAAAOYAAADpAAAA6AAAAOsAAADqAAAA7QAAAOwAAADvAAAA7gAAAPEAAADwAAAA8wAAAPIAAAD1AAAA9AAAAPcA',
  'AAD2AAAA+QAAAPgAAAD7AAAA+gAAAP0AAAD8AAAA/wAAAP4AAAAgAEEAZmkA',
].join('');

/** As XLM-RoBERTa and multilingual-e5: the likeliest pieces, after a map of characters. */
export const unigram = {
  added_tokens: added(['<s>', '<pad>', '</s>', '<unk>']),
  normalizer: { type: 'Precompiled', precompiled_charsmap: CHARSMAP },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'WhitespaceSplit' },
      { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    ],
  },
  post_processor: template(['<s>', 0], ['</s>', 2]),
  decoder: null,
  model: {
    type: 'Unigram',
    ...{ unk_id: 3, byte_fallback: false },
    vocab: [
      ...[
        ['<s>', 0],
        ['<pad>', 0],
        ['</s>', 0],
        ['<unk>', 0],
        ['▁', -2],
        ['▁chair', -4],
      ],
      ...[
        ['s', -3],
        ['▁fi', -4],
        ['ve', -4],
        ['▁five', -9],
        ['A', -5],
        ['é', -6],
        ['▁chairs', -9],
      ],
    ],
  },
};
