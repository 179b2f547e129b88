import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describeFailure } from '../../src/cli/command/failure.ts';
import { modelFiles } from '../../src/models/model-files.ts';
import { zipOf } from '../catalog/workbook-file.ts';
import { smallModel, tokenVector, writeModel } from '../models/folder/small-model.ts';
import { wordPiece } from '../models/folder/small-tokenizers.ts';
import { initializeFolder, vitrine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
afterAll(temporary.remove);
const data = join(temporary.path, 'data');
const models = join(data, 'models');
const at = (name: string) => join(temporary.path, name);
const model = (...args: string[]) => vitrine(['model', ...args, '--data', data]);

/** The files of a small model in an archive, in a folder of their own. */
const FILES = {
  'small/tokenizer.json': JSON.stringify(wordPiece),
  'small/1_Pooling/config.json': '{"pooling_mode_mean_tokens": true}',
  'small/onnx/model.onnx': smallModel(),
  'small/README.md': 'not needed',
};

/** A tar archive in the ustar format. */
function tarOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(body.length.toString(8).padStart(11, '0'), 124);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

test('a model is copied from a folder, without files that it does not need, and listed', async () => {
  const source = writeModel(at('multi'), {
    'README.md': 'not needed',
    'config_sentence_transformers.json': { prompts: { query: 'query: ' } },
  });
  const added = await model('add', source);
  expect([added.exitCode, added.stdout]).toEqual([0, expect.stringContaining('multi: added')]);
  expect(readdirSync(join(models, 'multi')).sort()).toEqual([
    '1_Pooling',
    'config_sentence_transformers.json',
    'modules.json',
    'onnx',
    'tokenizer.json',
  ]);
  const again = await model('add', source);
  expect([again.exitCode, again.stderr]).toEqual([73, expect.stringContaining('--force')]);
  expect((await model('add', source, '--force')).exitCode).toBe(0);
  const { stdout } = await model('list', '--json');
  expect(JSON.parse(stdout).models).toEqual([
    {
      ...{ name: 'multi', megabytes: 0, tokensMax: 512, pooling: 'mean' },
      prefixes: { query: 'query: ', offering: '' },
    },
  ]);
});

test.each<[string, Uint8Array]>([
  ['zip', zipOf(FILES)],
  ['tar', tarOf(FILES)],
  ['tar.gz', gzipSync(tarOf(FILES))],
])('a model is unpacked from a %s archive', async (extension, archive) => {
  const name = `from-${extension.replace('.', '-')}`;
  writeFileSync(at(`${name}.${extension}`), archive);
  expect((await model('add', at(`${name}.${extension}`))).exitCode).toBe(0);
  expect(readdirSync(join(models, name)).sort()).toEqual(['1_Pooling', 'onnx', 'tokenizer.json']);
});

test.each<[string, Uint8Array, RegExp]>([
  ['names files outside itself', tarOf({ ...FILES, '../../evil.json': '{}' }), /outside itself/],
  ['is cut off', tarOf(FILES).subarray(0, 2000), /damaged/],
  ['has a damaged compression', gzipSync(tarOf(FILES)).subarray(0, 300), /damaged/],
  ['holds no model', zipOf({ 'a.json': '{}' }), /0 files tokenizer\.json/],
  ['is no archive', Buffer.from('hello'), /neither a folder nor a zip or tar archive/],
])(
  'an archive that %s is refused with one line, and nothing is left of it',
  async (_, archive, line) => {
    writeFileSync(at('bad.tar'), archive);
    const { exitCode, stderr } = await model('add', at('bad.tar'));
    expect(exitCode).toBe(65);
    expect(stderr).toMatch(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(models, '.bad.draft')) || existsSync(join(models, 'bad'))).toBe(false);
    expect(existsSync(join(data, 'evil.json'))).toBe(false);
  },
);

test('a folder without a model, and a name that no folder can have, are refused', async () => {
  expect((await model('add', at('nowhere'))).exitCode).toBe(66);
  expect((await model('add', temporary.path)).exitCode).toBe(66);
  expect((await model('add', at('multi'), '--name', '../multi')).exitCode).toBe(64);
});

test('a list names what is no usable model, and passes over files', async () => {
  const listed = join(temporary.path, 'listed');
  const list = (...args: string[]) => vitrine(['model', 'list', '--data', listed, ...args]);
  await vitrine(['model', 'add', writeModel(at('sound'), {}), '--data', listed]);
  mkdirSync(join(listed, 'models', 'hollow'));
  writeFileSync(join(listed, 'models', 'notes.txt'), '');
  const { models: found, faults } = JSON.parse((await list('--json')).stdout);
  expect(found.map(({ name }: { name: string }) => name)).toEqual(['sound']);
  expect(faults).toEqual([
    { name: 'hollow', fault: expect.stringContaining('hollow has no tokenizer.json') },
  ]);
  const { exitCode, stdout } = await list();
  expect([exitCode, stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    expect.stringContaining('hollow cannot be used: The model in'),
  ]);
});

test.each(['null', '7', '"text"', '{'])(
  'a tokenizer.json that holds %s is refused',
  async (text) => {
    const source = writeModel(at('wrong-tokenizer'), { 'tokenizer.json': text });
    const { exitCode, stderr } = await model('add', source);
    expect([exitCode, stderr.trim().split('\n')]).toEqual([
      65,
      [expect.stringContaining('has a tokenizer.json that is not JSON, or no object')],
    ]);
  },
);

test('a full disk is named in one line', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, copyfile'), {
    ...{ code: 'ENOSPC', path: '/from', dest: '/models/m/model.onnx' },
  });
  expect(describeFailure(error)).toEqual({
    message: 'No space is left on the disk: /models/m/model.onnx. Make room and run it again.',
    exitCode: 69,
  });
});

test.skipIf(modelFiles() === null)('doctor finds an added model by its name', async () => {
  await initializeFolder(data, '--org', 'Acme');
  await model('add', writeModel(at('named'), {}));
  const settings = ['--embedder', 'folder', '--embedder-path', 'named'];
  const { stdout } = await vitrine(['doctor', '--json', '--data', data, ...settings]);
  const checks: { name: string; message: string }[] = JSON.parse(stdout).checks;
  const { message } = checks.find(({ name }) => name === 'model')!;
  expect(message).toMatch(/^named@[0-9a-f]{12}\/onnx-\w+ loads and answers$/);
});

describe.skipIf(modelFiles() === null)('model check', () => {
  test('measures a model and compares it with the reference vectors beside it', async () => {
    const sum = [2, 4, 3].map(tokenVector).reduce((one, row) => one.map((v, i) => v + row[i]!));
    const reference = (vector: readonly number[]) => ({
      'reference-vectors.json': [{ text: 'red', purpose: 'query', vector }],
    });
    const right = await model('check', writeModel(at('right'), reference(sum)), '--json');
    expect(JSON.parse(right.stdout)).toMatchObject({
      ...{ dimensions: 4, tag: expect.stringMatching(/^right@/), scale: null },
      reference: { count: 1, cosineMin: expect.closeTo(1, 5) },
    });
    // A model that knows four words understands no language.
    expect(right.exitCode).toBe(1);
    const wrong = await model('check', writeModel(at('wrong'), reference([1, 0, 0, 0])));
    expect(wrong.stdout).toContain('1 reference vectors: DIFFERENT');
    expect(wrong.stdout).toContain('do not use it');
  });

  test('says in one line why a model does not load', async () => {
    const broken = writeModel(at('broken'), { 'onnx/model.onnx': 'not a model' });
    const { exitCode, stderr } = await model('check', broken);
    expect([exitCode, stderr.trim().split('\n').length]).toEqual([65, 1]);
    expect(stderr).toContain('no runtime for the model loads');
    expect((await model('check', 'nope')).exitCode).toBe(66);
  });
});
