import { expect, test } from 'bun:test';
import { bundle } from '../../scripts/binary/compile.ts';
import { modelFiles } from '../../scripts/binary/embedded-model.ts';
import { ROOT } from '../../scripts/binary/folders.ts';
import { hostTarget } from '../../scripts/binary/targets.ts';
import { BINARY } from '../e2e/built-binary.ts';

// A machine that has built the binary has also compressed the files that the bundle embeds.
test.skipIf(BINARY === null)(
  'the bundle embeds the addon and every file of the model, and nowhere names the folder of the build',
  async () => {
    const target = hostTarget();
    const { outputs } = await Bun.build(await bundle(target, new Set()));
    const texts = outputs.filter(({ kind }) => kind === 'entry-point' || kind === 'sourcemap');
    expect(texts.length).toBeGreaterThan(1);
    for (const output of texts) expect((await output.text()).includes(ROOT)).toBe(false);
    const fileCount = JSON.stringify(modelFiles(target)).split(`"${ROOT}`).length - 1;
    expect(outputs.filter(({ kind }) => kind === 'asset')).toHaveLength(fileCount + 1);
  },
  60_000,
);
