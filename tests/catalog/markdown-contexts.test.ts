import { describe, expect, test } from 'bun:test';
import { markdownContexts } from '../../src/catalog/own/markdown-contexts.ts';
import { context, readAll } from './read.ts';

const read = async (text: string, name = 'docs/returns.md') =>
  await readAll(markdownContexts, text, { name });

test('reads id, title, link and date from the front matter', async () => {
  const text =
    '\ufeff---\r\nid: 42\r\ntitle: "Returns: how"\r\nurl: https://a.example/r\r\ndate: 2024-05-01\r\nextra: [1]\r\n---\r\n\r\n# Heading\r\nText\r\n';
  const { items, said } = await read(text);
  expect(said).toEqual([]);
  expect(items).toEqual([
    {
      type: 'context',
      externalId: '42',
      name: 'Returns: how',
      description: '# Heading\nText',
      publicUrl: 'https://a.example/r',
      publishedAt: '2024-05-01T00:00:00.000Z',
    },
  ]);
});

test.each<[string, string, string]>([
  ['no heading', 'docs/returns', 'returns'],
  ['text\n\n# The *rules* #\n\n## More', 'docs/returns', 'The *rules*'],
  ['---\n---\nempty front matter', 'docs/returns', 'returns'],
  ['---\nnever closed: 1', 'docs/returns', 'returns'],
  ['a\n\n---\nid: x\n---\n', 'docs/returns', 'returns'],
])('%j falls back to path, heading and file name', async (text, id, name) => {
  const { items } = await read(text);
  const found = context(items);
  expect([found.externalId, found.name]).toEqual([id, name]);
});

describe('reports unreadable files', () => {
  const bomb = 'a: &a [1]\nb: &b [*a,*a]\nc: [*b,*b]';
  test.each<[string, string]>([
    [`---\n${bomb}\n---\nx`, '1 error invalid_front_matter -'],
    ['---\n- a\n---\nx', '1 error invalid_front_matter -'],
    ['---\na: [\n---\nx', '1 error invalid_front_matter -'],
    ['---\na: 1\na: 2\n---\nx', '1 error invalid_front_matter -'],
    [`---\na: ${'['.repeat(15_000)}\n---\nx`, '1 error invalid_front_matter -'],
    [`---\na: ${'x'.repeat(20_000)}\n---\nx`, '1 error invalid_front_matter -'],
    ['---\ntitle: [a]\n---\nx', '1 error wrong_type title'],
    [`---\nid: ${'x'.repeat(201)}\n---\nx`, '1 error too_long id'],
    ['x\ny\0', '2 error forbidden_text -'],
  ])('%#', async (text, expected) => {
    const { items, said } = await read(text);
    expect([items, said]).toEqual([[], [expected]]);
  });

  test('drops an invalid link or date', async () => {
    const { items, said } = await read('---\nurl: ftp://x\npublishedAt: soon\n---\nx');
    expect(said).toEqual(['1 warning invalid_url url', '1 warning invalid_time publishedAt']);
    expect(items.length).toBe(1);
  });

  test('truncates a long text', async () => {
    const { items, said } = await read('wörd '.repeat(50_000));
    expect(said).toEqual(['1 warning too_long -']);
    expect(context(items).description.length).toBeLessThanOrEqual(200_000);
  });
});
