import { afterAll, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { modelFiles } from '../../scripts/binary/embedded-model.ts';
import { hostTarget } from '../../scripts/binary/targets.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BUILT = resolve(import.meta.dir, '../../build/model');
const NAMES = ['all-minilm-l6-v2.onnx', 'vocabulary.txt'];
const folder = temporaryFolder();
afterAll(() => folder.remove());
/** Without native files: nothing is packed here. */
const TARGET = { ...hostTarget(), inference: null };

test.each(NAMES)('no binary is built with a %s that differs by one bit', (name) => {
  for (const each of NAMES) copyFileSync(join(BUILT, each), join(folder.path, each));
  expect(modelFiles(TARGET, folder.path).model).toStartWith(folder.path);
  const content = readFileSync(join(folder.path, name));
  content[content.length >> 1]! ^= 1;
  writeFileSync(join(folder.path, name), content);
  expect(() => modelFiles(TARGET, folder.path)).toThrow(
    `${name} is not the model that was measured`,
  );
});
