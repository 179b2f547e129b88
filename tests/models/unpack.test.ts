import { afterAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type { PackedFile } from '../../src/models/model-files.ts';
import { unpack } from '../../src/models/unpack.ts';

const parent = await mkdtemp(join(tmpdir(), 'unpack-'));
afterAll(() => rm(parent, { recursive: true }));

async function packedFile(name: string, content: string): Promise<PackedFile> {
  const path = join(parent, `${name}.zst`);
  await writeFile(path, zstdCompressSync(content));
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, path, sha256, compressed: true };
}

test('unpacks into a folder that only this user can enter, and reuses it', async () => {
  const files = [await packedFile('a.so', 'library'), await packedFile('b.node', 'addon')];
  const folder = await unpack(files, parent);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readFile(join(folder, 'a.so'), 'utf8')).toBe('library');
  expect(await unpack(files, parent)).toBe(folder);
  expect((await readdir(folder)).sort()).toEqual(['a.so', 'b.node']);
});

test('rewrites a file whose content changed at the same length', async () => {
  const file = await packedFile('c.so', 'library');
  const target = join(await unpack([file], parent), 'c.so');
  await chmod(target, 0o700);
  await writeFile(target, 'LIBRARY');
  await unpack([file], parent);
  expect(await readFile(target, 'utf8')).toBe('library');
});

test('refuses a folder that others can write to', async () => {
  const file = await packedFile('d.so', 'library');
  await chmod(await unpack([file], parent), 0o777);
  expect(unpack([file], parent)).rejects.toThrow('not a private folder');
});

test('refuses to unpack a file whose digest is wrong', async () => {
  const file = await packedFile('e.so', 'library');
  expect(unpack([{ ...file, sha256: '0'.repeat(64) }], parent)).rejects.toThrow('damaged');
});
