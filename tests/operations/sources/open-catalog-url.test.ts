import { afterAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { openCatalogUrl } from '../../../src/operations/sources/open-catalog-url.ts';
import { DownloadBudget } from '../../../src/web/download-budget.ts';

const BAG = {
  id: 1,
  title: 'Bag',
  handle: 'bag',
  body_html: '',
  product_type: 'Bags',
  variants: [{ id: 1, option1: 'Default Title', price: '10.00', available: true }],
};
/** 2 MB in 2 KB. */
const blanks = Buffer.alloc(2_000_000, ' ');
const FEED = gzipSync(`id,title,price\n${'\n'.repeat(2_000_000)}lamp,Lamp,9.90\n`);

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const packed = { headers: { 'content-encoding': 'gzip' } };
    if (pathname === '/products.json')
      return Response.json({ products: searchParams.has('page') ? [] : [BAG] });
    if (pathname === '/meta.json')
      return new Response(gzipSync(Buffer.concat([Buffer.from('{}'), blanks])), packed);
    if (pathname === '/feed.csv.gz') return new Response(FEED);
    if (pathname === '/exports/8f14e45fceea167a5a36dedd4bea2543') return new Response('nothing');
    return new Response(null, { status: 404 });
  },
});
afterAll(() => server.stop(true));
const base = `http://127.0.0.1:${server.port}`;

async function read(path: string, bytesMax?: number): Promise<number> {
  const budget = new DownloadBudget(bytesMax === undefined ? {} : { bytesMax });
  const options = { allowPrivate: true, signal: new AbortController().signal, budget };
  const opened = await openCatalogUrl(base + path, {}, options);
  const rows = opened!.source.rows({ currency: 'EUR', shopUrl: null, now: 0 });
  return (await Array.fromAsync(rows)).length;
}

describe('a small download that expands beyond the limit ends there', () => {
  test('facts of a shop, which are read whole', async () => {
    await expect(read('/products.json')).rejects.toMatchObject({
      code: 'too_large',
      message: `127.0.0.1:${server.port}: meta.json is larger than 1 MiB.`,
    });
  });

  test('a file that is compressed itself', async () => {
    await expect(read('/feed.csv.gz', 1_000_000)).rejects.toMatchObject({ code: 'too_large' });
    expect(await read('/feed.csv.gz', 3_000_000)).toBe(1);
  });
});

test('no message contains an unguessable URL', async () => {
  await expect(read('/exports/8f14e45fceea167a5a36dedd4bea2543?s=x')).rejects.toMatchObject({
    code: 'unsupported_media_type',
    message: expect.stringMatching(/^127\.0\.0\.1 has an unknown format/),
  });
});
