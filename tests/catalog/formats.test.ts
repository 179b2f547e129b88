import { expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { openBytes, peekText } from '../../src/catalog/bytes/decompress.ts';
import { detectFormat, FORMATS, formatNamed } from '../../src/catalog/formats.ts';
import { chunks } from './read.ts';

test.each<[string, string, string | null]>([
  ['{"externalId":"a","name":"b"}\n', 'x.csv', 'json-lines'],
  ['\n{broken\n{"name":"b", "externalId" : "a"}', 'x', 'json-lines'],
  ['{"products":[{"id":1}]}', 'x.jsonl', null],
  ['Handle,Title,Body (HTML),Variant Price\n', 'x.json', 'shopify-csv'],
  ['\ufeff"Title","URL handle","Price","Option1 value"\r\n', 'x', 'shopify-csv'],
  ['Title;Handle;Variant SKU', 'x', 'shopify-csv'],
  ['id,title,price\n', 'products.csv', 'google-tsv'],
  ['name,price\n', 'products.csv', null],
  ['---\ntitle: x\n---\n', 'x.md', 'markdown'],
  ['# Returns\n', 'RETURNS.Markdown', 'markdown'],
  ['# Returns\n', 'returns.md.gz', 'markdown'],
  ['# ~/.bashrc\nexport TOKEN=s3cr3t\n', '.bashrc', null],
  ['# Database\nPASSWORD=s3cr3t\n', '.env', null],
  ['---\npassword: s3cr3t\n---\n', 'settings.yaml', null],
  ['# Returns\n', 'x.txt', null],
  ['# Returns\n', 'stdin', null],
  ['Just text.', 'x.md', 'markdown'],
  ['Just text.', 'x.txt', null],
  ['<html></html>', 'x.md', null],
  ['{"a":1}', 'x.md', null],
  ['\0\0', 'x.md', null],
  ['', 'x.md', null],
])('%j in %s is %p', (head, fileName, expected) => {
  expect(detectFormat({ text: head, fileName })?.format.name ?? null).toBe(expected);
});

test('finds every format by its name', () => {
  for (const format of FORMATS) expect(formatNamed(format.name)).toBe(format);
  expect(formatNamed('nothing')).toBeNull();
});

async function opened(bytes: Uint8Array, size: number, max?: number): Promise<string> {
  const parts = await Array.fromAsync(openBytes(chunks(bytes, size), max));
  return Buffer.concat(parts).toString();
}

test('plain and gzipped bytes give the same result, however they are chunked', async () => {
  const plain = Buffer.from('line\n'.repeat(50));
  const packed = Buffer.concat([gzipSync(plain.subarray(0, 100)), gzipSync(plain.subarray(100))]);
  for (let size = 1; size <= packed.length; size += 1) {
    expect(await opened(plain, size)).toBe(plain.toString());
    expect(await opened(packed, size)).toBe(plain.toString());
  }
  expect(await opened(Buffer.of(0x1f), 1)).toBe('\x1f');
});

test('refuses a compressed file that is truncated, damaged or a decompression bomb', async () => {
  const packed = gzipSync(Buffer.alloc(100_000));
  const damaged = Buffer.from(packed);
  damaged[packed.length - 6]! ^= 1;
  await expect(opened(packed.subarray(0, -9), 7)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(opened(damaged, 7)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(opened(packed, 7, 99_999)).rejects.toMatchObject({ code: 'too_large' });
});

test('an error of the source is not reported as a fault of the file', async () => {
  async function* failing() {
    yield gzipSync('x').subarray(0, 12);
    throw new Error('disk');
  }
  await expect(Array.fromAsync(openBytes(failing()))).rejects.toThrow('disk');
});

test('peeking at the head consumes nothing', async () => {
  const text = 'é'.repeat(100_000);
  const { head, bytes } = await peekText(chunks(Buffer.from(text), 999));
  expect(head.length).toBe(32_768);
  expect(Buffer.concat(await Array.fromAsync(bytes)).toString()).toBe(text);
});
