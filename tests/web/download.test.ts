import { afterAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { type DownloadOptions, download } from '../../src/web/download.ts';
import { DownloadBudget } from '../../src/web/download-budget.ts';

/** 10 MB of spaces, compressed to 10 KB. */
const BOMB = gzipSync(Buffer.alloc(10_000_000, ' '));

/** So many pieces, with a pause before each. */
function drip(pieces: number, everyMs: number): ReadableStream {
  let left = pieces;
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(everyMs);
      controller.enqueue(Buffer.from('.'));
      left -= 1;
      if (left === 0) controller.close();
    },
  });
}

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
    if (pathname === '/steady') {
      const [pieces, everyMs] = [searchParams.get('pieces'), searchParams.get('every')].map(Number);
      return new Response(drip(pieces!, everyMs!));
    }
    if (pathname === '/late') {
      await Bun.sleep(Number(searchParams.get('after')));
      return new Response('late');
    }
    if (pathname === '/bomb')
      return new Response(BOMB, { headers: { 'content-encoding': 'gzip' } });
    if (pathname === '/silent')
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from('.')),
          pull: () => new Promise(() => undefined),
        }),
      );
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
  test('returns the file and its cache validators', async () => {
    const found = await download(`${base}/file`, options());
    expect(found!.validators).toEqual({
      etag: '"v1"',
      lastModified: 'Mon, 01 Jun 2026 00:00:00 GMT',
    });
    expect(found!.sizeBytes).toBe(9);
    expect(await text(`${base}/file`, { validators: found!.validators })).toBeNull();
  });

  test('removes transfer compression and reports damaged data', async () => {
    expect(await text(`${base}/packed`)).toBe('packed');
    expect(hits.at(-1)).toBe('gzip');
    await expect(text(`${base}/cut`)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('follows ten redirects but not an eleventh', async () => {
    expect(await text(`${base}/hop?left=9`)).toBe('id,title\n');
    await expect(text(`${base}/hop?left=10`)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('returns the URL of the next page', async () => {
    expect((await download(`${base}/paged`, options()))!.next).toBe(`${base}/paged?page=3`);
  });

  test.each([
    ['/nothing', 'not_found'],
    ['/busy', 'unavailable'],
  ])('%s is %s', async (path, code) => {
    await expect(text(base + path)).rejects.toMatchObject({ code });
  });

  const within = (bytesMax: number) => ({ budget: new DownloadBudget({ bytesMax }) });
  const unavailable = (message: string) => ({
    code: 'unavailable',
    message: `127.0.0.1:${server.port} ${message}`,
  });

  test('ends at the byte limit of its budget, which several downloads can share', async () => {
    const tooLarge = { code: 'too_large' };
    await expect(text(`${base}/large`, within(5000))).rejects.toMatchObject(tooLarge);
    await expect(text(`${base}/file`, within(8))).rejects.toMatchObject(tooLarge);
    const budget = new DownloadBudget({ bytesMax: 18 });
    for (let count = 0; count < 2; count += 1)
      expect(await text(`${base}/file`, { budget })).toBe('id,title\n');
    expect(budget.received).toBe(18);
    await expect(text(`${base}/file`, { budget })).rejects.toMatchObject(tooLarge);
  });

  test('ends a compressed body at the limit for decompressed bytes, however few arrived', async () => {
    const options = within(2_000_000);
    await expect(text(`${base}/bomb`, options)).rejects.toMatchObject({ code: 'too_large' });
    expect(options.budget.received).toBeLessThan(20_000);
    expect(await text(`${base}/bomb`, within(10_000_000))).toHaveLength(10_000_000);
  });

  test('lets a steady body take longer than the header and stall timers', async () => {
    const patience = { headMaxMs: 150, stallMaxMs: 150 };
    const download = () => text(`${base}/steady?pieces=20&every=20`, patience).catch(String);
    // A busy machine may stop this process for longer than the timers, but not each time.
    let body = await download();
    for (let tries = 1; tries < 5 && body?.startsWith('.') !== true; tries++)
      body = await download();
    expect(body).toBe('.'.repeat(20));
  });

  test('gives up on late response headers', async () => {
    await expect(text(`${base}/late?after=300`, { headMaxMs: 50 })).rejects.toMatchObject(
      unavailable('does not respond.'),
    );
    expect(await text(`${base}/late?after=100`, { stallMaxMs: 50 })).toBe('late');
  });

  test('gives up on a body that stalls', async () => {
    const stalled = unavailable('stopped sending.');
    await expect(text(`${base}/silent`, { stallMaxMs: 50 })).rejects.toMatchObject(stalled);
    await expect(
      text(`${base}/steady?pieces=2&every=300`, { stallMaxMs: 50 }),
    ).rejects.toMatchObject(stalled);
  });

  test('gives up on a steady body at the deadline', async () => {
    const budget = new DownloadBudget({ totalMaxMs: 200 });
    const late = unavailable('is too slow: the download did not finish in time.');
    const steady = `${base}/steady?pieces=1000&every=10`;
    await expect(text(steady, { budget })).rejects.toMatchObject(late);
    await expect(text(`${base}/late?after=1000`, { budget })).rejects.toMatchObject(late);
  });

  test('aborts with its signal, both before the headers and in the body', async () => {
    for (const path of ['/late?after=1000', '/steady?pieces=1000&every=10']) {
      const stopping = new AbortController();
      const ended = text(base + path, { signal: stopping.signal });
      setTimeout(() => stopping.abort(), 50);
      await expect(ended).rejects.toMatchObject({ code: 'unavailable' });
    }
  });

  test.each([
    '/nothing',
    '/busy',
    '/cut',
    '/hop?left=10',
    '/to?url=http%3A%2F%2F%5B',
    '/to?url=ftp%3A%2F%2F127.0.0.1%2F',
  ])('a message about %s names only the host', async (path) => {
    const url = `${base.replace('http://', 'HTTP://')}${path}${path.includes('?') ? '&' : '?'}token=s3cr3t`;
    const error = await text(url).catch(({ message }: Error) => message);
    expect(error).toStartWith('127.0.0.1');
    expect(error).not.toMatch(/s3cr3t|nothing|busy|cut|hop|\/to/);
  });

  test('a message about an invalid address does not quote it', async () => {
    await expect(text('https://me:s3cr3t@/feed')).rejects.toMatchObject({
      message: 'This is not a web address.',
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
  ])('a host that resolves to %s is refused', async (_, addresses) => {
    const resolve = async () => addresses;
    await expect(
      text('https://rebound.example/feed', { ...strict, resolve }),
    ).rejects.toMatchObject(refused);
  });

  test('connects to the IP address that it checked', async () => {
    const answers = [['127.0.0.1'], ['192.0.2.1']];
    let asked = 0;
    const resolve = async () => answers[Math.min(asked++, 1)]!;
    const url = `http://rebound.example:${server.port}/file`;
    expect(await text(url, { resolve })).toBe('id,title\n');
    expect(asked).toBe(1);
  });

  test('checks a redirect like the first URL', async () => {
    // Private addresses are permitted so that the test's server is reachable; user names never are.
    const url = `${base}/to?url=${encodeURIComponent('http://a:b@127.0.0.1/')}`;
    await expect(text(url)).rejects.toMatchObject(refused);
    const ftp = `${base}/to?url=${encodeURIComponent('ftp://127.0.0.1/')}`;
    await expect(text(ftp)).rejects.toMatchObject(refused);
  });
});
