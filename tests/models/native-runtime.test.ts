import { expect, test } from 'bun:test';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUNTIME = new URL('./bin/', import.meta.resolve('onnxruntime-node/package.json'));

test('the native runtime contains no telemetry uploader on any platform', async () => {
  const names = await readdir(RUNTIME, { recursive: true });
  const libraries = names.filter((name) =>
    /(^|[\\/])(lib)?onnxruntime\.(so|dll|.*dylib)/.test(name),
  );
  expect(libraries.length).toBeGreaterThan(0);
  for (const name of libraries) {
    const library = await readFile(join(fileURLToPath(RUNTIME), name));
    expect([name, library.includes('events.data.microsoft.com')]).toEqual([name, false]);
  }
});
