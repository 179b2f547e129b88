import { afterAll, describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import { openEncoder } from '../../../src/models/encoder.ts';
import { openLocalEmbedder } from '../../../src/models/local-embedder.ts';
import { type ModelFiles, modelFiles } from '../../../src/models/model-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { smallModel, tokenVector, WIDTH, writeModel } from './small-model.ts';
import { unigram } from './small-tokenizers.ts';

/** Without WebAssembly: in a thread of its own only, because it replaces `Worker`. */
const files = nativeFiles();
const scratch = temporaryFolder();
afterAll(() => scratch.remove());
let count = 0;

function nativeFiles(): ModelFiles | null {
  const all = modelFiles();
  return all === null || all.native === null ? null : { ...all, wasm: null };
}

type Files = Parameters<typeof writeModel>[1];

function modelOf(content: Files): string {
  return writeModel(`${scratch.path}/model-${++count}`, content);
}

async function encode(
  content: Files,
  text = 'red chairs',
  purpose: 'query' | 'offering' = 'query',
) {
  const encoder = await openEncoder(modelOf(content), files!, 1);
  const run = await encoder.encode([text], purpose).next();
  return run.value![0]!.vector;
}

/** The unit vector of the mean of some tokens. */
function meanOf(...ids: number[]): Float32Array {
  const sums = ids.map(tokenVector).reduce((sum, row) => sum.map((value, at) => value + row[at]!));
  return Float32Array.from(sums, (value) => value / Math.hypot(...sums));
}

function expectNear(vector: Float32Array, expected: Float32Array): void {
  expect(vector).toHaveLength(WIDTH);
  for (const [at, value] of expected.entries()) expect(vector[at]).toBeCloseTo(value, 5);
}

describe.skipIf(files === null)('a model in a folder', () => {
  // [CLS] red chair ##s [SEP]
  const IDS = [2, 4, 5, 6, 3];

  test.each<[string, object, Float32Array]>([
    ['the mean of its tokens', { pooling_mode_mean_tokens: true }, meanOf(...IDS)],
    ['its first token', { pooling_mode_cls_token: true }, meanOf(2)],
    ['its last token', { pooling_mode_lasttoken: true }, meanOf(3)],
    ['the first token, as newer releases name it', { pooling_mode: 'cls' }, meanOf(2)],
  ])('embeds a text as %s, as its pooling says', async (_, pooling, expected) => {
    expectNear(await encode({ '1_Pooling/config.json': pooling }), expected);
  });

  test('embeds with each tokenizer and each usual set of inputs and outputs', async () => {
    const inputs = ['attention_mask', 'token_type_ids', 'position_ids'];
    const all = { 'onnx/model.onnx': smallModel({ inputs }) };
    expectNear(await encode(all), meanOf(...IDS));
    const bare = { 'onnx/model.onnx': null, 'model.onnx': smallModel({ inputs: [] }) };
    expectNear(await encode(bare), meanOf(...IDS));
    const pooled = smallModel({ output: 'sentence_embedding' });
    const alone = {
      'onnx/model.onnx': pooled,
      '1_Pooling/config.json': null,
      'modules.json': null,
    };
    expectNear(await encode(alone), meanOf(4));
    expectNear(await encode({ 'tokenizer.json': unigram }, 'chair'), meanOf(0, 5, 2));
  });

  test('puts the prefix of its purpose before a text, and cuts and lowers it as its files say', async () => {
    const prompts = { prompts: { query: 'a ', passage: 'b ' } };
    const content = {
      'config_sentence_transformers.json': prompts,
      'sentence_bert_config.json': { max_seq_length: 4 },
    };
    expectNear(await encode(content, 'red chairs', 'query'), meanOf(2, 10, 4, 3));
    expectNear(await encode(content, 'red chairs', 'offering'), meanOf(2, 11, 4, 3));
  });

  test('has another tag as soon as a file differs that determines its vectors', async () => {
    const tagOf = async (content: Files) =>
      (await openEncoder(modelOf(content), files!, 1)).tag.replace(/^model-\d+/, '');
    const tag = await tagOf({});
    expect(tag).toMatch(/^@[0-9a-f]{12}\/onnx-(native|wasm)$/);
    expect(await tagOf({ 'README.md': 'another text' })).toBe(tag);
    expect(await tagOf({ '1_Pooling/config.json': { pooling_mode: 'cls' } })).not.toBe(tag);
    expect(await tagOf({ 'onnx/model.onnx': smallModel({ inputs: [] }) })).not.toBe(tag);
  });

  test.each<[string, Files, RegExp]>([
    ['has no tokenizer', { 'tokenizer.json': null }, /has no tokenizer\.json/],
    ['has no model', { 'onnx/model.onnx': null }, /has no onnx\/model\.onnx/],
    [
      'has several models',
      { 'onnx/model.onnx': null, 'a.onnx': smallModel(), 'b.onnx': smallModel() },
      /several models.*a\.onnx, b\.onnx/,
    ],
    ['lacks its pooling', { '1_Pooling/config.json': null }, /has no 1_Pooling\/config\.json/],
    [
      'needs a further layer',
      { 'modules.json': [{ type: 'sentence_transformers.models.Dense', path: '2_Dense' }] },
      /needs the module sentence_transformers\.models\.Dense/,
    ],
    [
      'pools in a way of its own',
      { '1_Pooling/config.json': { pooling_mode_max_tokens: true } },
      /pools tokens by pooling_mode_max_tokens/,
    ],
    ['has a damaged file', { 'tokenizer.json': '{"model":' }, /tokenizer\.json that is not JSON/],
    [
      'has an unknown tokenizer',
      { 'tokenizer.json': { ...unigram, normalizer: { type: 'Nmt' } } },
      /Nmt/,
    ],
    [
      'takes an unknown input',
      { 'onnx/model.onnx': smallModel({ inputs: ['task_id'] }) },
      /takes input_ids, task_id/,
    ],
    ['is no ONNX file', { 'onnx/model.onnx': 'not a model' }, /no runtime for the model loads/],
    [
      'gives tokens and no pooling',
      { '1_Pooling/config.json': null, 'modules.json': null },
      /no 1_Pooling\/config\.json/,
    ],
  ])('is refused with one line if it %s', async (_, content, message) => {
    expect(openEncoder(modelOf(content), files!, 1)).rejects.toThrow(message);
  });

  test('works in the worker, which says why a model does not load', async () => {
    const open = (folder: string) =>
      openLocalEmbedder({ ...{ files: files!, folder, threads: 1 }, now: () => 0 });
    const embedder = open(modelOf({}));
    const { signal } = new AbortController();
    const [vector] = await embedder.embed(['red chairs'], 'offering', signal);
    expectNear(vector!, meanOf(...IDS));
    expect(embedder.tag).toStartWith('model-');
    expect(embedder.cosineScale).toBeNull();
    await embedder.close();
    const missing = open(`${scratch.path}/nowhere`);
    const error = await missing.embed(['red'], 'query', signal).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).cause).toBe(`There is no folder ${scratch.path}/nowhere.`);
    await missing.close();
  });
});
