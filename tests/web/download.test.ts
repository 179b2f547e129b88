import { afterAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { type DownloadOptions, download } from '../../src/web/download.ts';

const hits: (string | null)[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    hits.push(request.headers.get('accept-encoding'));
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/file') {
      if (request.headers.get('if-none-match') === '"v1"')
        return new Response(null, { status: 304 });
      return new Response('id,title\n', {
        headers: { etag: '"v1"', 'last-modified': 'Mon, 01 Jun 2026 00:00:00 GMT' },
      });
    }
    if (pathname === '/packed') {
      return new Response(gzipSync('packed'), { headers: { 'content-encoding': 'gzip' } });
    }
    if (pathname === '/hop') {
      const left = Number(searchParams.get('left'));
      return new Response(null, {
        status: 302,
        headers: { location: left === 0 ? '/file' : `/hop?left=${left - 1}` },
      });
    }
    if (pathname === '/to')
      return new Response(null, { status: 301, headers: { location: searchParams.get('url')! } });
    if (pathname === '/large') {
      return new Response(
        new ReadableStream({
          pull(controller) {
            controller.enqueue(new Uint8Array(1000));
          },
        }),
      );
    }
    if (pathname === '/silent')
      return new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    if (pathname === '/paged')
      return new Response('x', {
        headers: { link: '</paged?page=1>; rel="previous", </paged?page=3>; rel="next"' },
      });
    if (pathname === '/cut')
      return new Response(gzipSync('x'.repeat(10_000)).subarray(0, 20), {
        headers: { 'content-encoding': 'gzip' },
      });
    return new Response('no', { status: pathname === '/busy' ? 503 : 404 });
  },
});
afterAll(() => server.stop(true));

const base = `http://127.0.0.1:${server.port}`;
const options = (more: Partial<DownloadOptions> = {}): DownloadOptions => ({
  allowPrivate: true,
  signal: new AbortController().signal,
  ...more,
});

async function text(url: string, more: Partial<DownloadOptions> = {}): Promise<string | null> {
  const found = await download(url, options(more));
  if (found === null) return null;
  return Buffer.concat(await Array.fromAsync(found.bytes)).toString();
}

describe('download', () => {
  test('gives the file and what tells it from a later one', async () => {
    const found = await download(`${base}/file`, options());
    expect(found!.validators).toEqual({
      etag: '"v1"',
      lastModified: 'Mon, 01 Jun 2026 00:00:00 GMT',
    });
    expect(found!.sizeBytes).toBe(9);
    expect(await text(`${base}/file`, { validators: found!.validators })).toBeNull();
  });

  test('inflates what was compressed for the way; damage is told', async () => {
    expect(await text(`${base}/packed`)).toBe('packed');
    expect(hits.at(-1)).toBe('gzip');
    await expect(text(`${base}/cut`)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('follows ten redirects and no eleventh', async () => {
    expect(await text(`${base}/hop?left=9`)).toBe('id,title\n');
    await expect(text(`${base}/hop?left=10`)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('names the next page', async () => {
    expect((await download(`${base}/paged`, options()))!.next).toBe(`${base}/paged?page=3`);
  });

  test.each([
    ['/nothing', 'not_found'],
    ['/busy', 'unavailable'],
  ])('%s is %s', async (path, code) => {
    await expect(text(base + path)).rejects.toMatchObject({ code });
  });

  test('ends at the limit, and where the server says nothing more', async () => {
    await expect(text(`${base}/large`, { bytesMax: 5000 })).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(text(`${base}/file`, { bytesMax: 8 })).rejects.toMatchObject({
      code: 'too_large',
    });
    expect(await text(`${base}/file`, { bytesMax: 9 })).toBe('id,title\n');
    await expect(text(`${base}/silent`, { silenceMaxMs: 50 })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

describe('addresses that are not public', () => {
  const refused = { code: 'invalid_input' };
  const strict = { allowPrivate: false };

  test.each([
    `${base}/file`,
    'http://shop.example/feed',
    'https://127.0.0.1/feed',
    'https://[::1]/feed',
    'https://2130706433/feed',
    'https://169.254.169.254/latest/meta-data',
    'https://user:secret@shop.example/feed',
    'ftp://shop.example/feed',
    'file:///etc/passwd',
    'nonsense',
  ])('%s is refused without a request', async (url) => {
    const before = hits.length;
    await expect(text(url, strict)).rejects.toMatchObject(refused);
    expect(hits.length).toBe(before);
  });

  test.each([
    ['the only address', ['127.0.0.1']],
    ['one of several', ['93.184.216.34', '10.0.0.1']],
    ['one that is mapped', ['::ffff:127.0.0.1']],
    ['none', []],
  ])('a host whose DNS gives %s', async (_, addresses) => {
    const resolve = async () => addresses;
    await expect(
      text('https://rebound.example/feed', { ...strict, resolve }),
    ).rejects.toMatchObject(refused);
  });

  test('the address that was checked is the one that is connected to', async () => {
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    let asked = 0;
    const resolve = async () => answers[Math.min(asked++, 1)]!;
    const url = `http://rebound.example:${server.port}/file`;
    expect(await text(url, { resolve })).toBe('id,title\n');
    expect(asked).toBe(1);
  });

  test('a redirect is checked as the first address was', async () => {
    // Private addresses are allowed, so that the test's own server answers; user names never are.
    const url = `${base}/to?url=${encodeURIComponent('http://a:b@127.0.0.1/')}`;
    await expect(text(url)).rejects.toMatchObject(refused);
    const ftp = `${base}/to?url=${encodeURIComponent('ftp://127.0.0.1/')}`;
    await expect(text(ftp)).rejects.toMatchObject(refused);
  });
});
