import { afterAll, describe, expect, test } from 'bun:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../src/domain/errors.ts';
import {
  openRemoteEmbedder,
  type RemoteEmbedderOptions,
} from '../../src/models/remote-embedder.ts';

const NEVER = new AbortController().signal;
const KEY = 'sk-very-secret';

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

const asked: Asked[] = [];
let reply: (response: ServerResponse, input: readonly string[], request: IncomingMessage) => void;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const parsed = JSON.parse(body);
  asked.push({ path: request.url!, authorization: request.headers.authorization, body: parsed });
  reply(response, parsed.input, request);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function open(overrides: Partial<RemoteEmbedderOptions> = {}) {
  const url = `${origin}/v1`;
  return openRemoteEmbedder({
    url,
    model: 'm',
    apiKey: KEY,
    now: () => 0,
    timeoutMs: 300,
    ...overrides,
  });
}

function answer(response: ServerResponse, data: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
}

/** The vector of a text is `[length, 1]`, which makes the order visible. */
function answerWell(response: ServerResponse, input: readonly string[]): void {
  answer(response, input.map((text, index) => ({ index, embedding: [text.length, 1] })).reverse());
}

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

describe('a well-behaved endpoint', () => {
  test('receives batches of at most 64 texts with the key; its vectors are sorted and normalised', async () => {
    reply = answerWell;
    asked.length = 0;
    const embedder = open();
    const vectors = await embedder.embed(
      Array.from({ length: 130 }, (_, i) => 'x'.repeat(i)),
      'offering',
      NEVER,
    );
    expect(asked.map(({ body }) => body.input.length)).toEqual([64, 64, 2]);
    expect(asked[0]).toMatchObject({ path: '/v1/embeddings', authorization: `Bearer ${KEY}` });
    expect(vectors).toHaveLength(130);
    expect(vectors[3]![0]! / vectors[3]![1]!).toBeCloseTo(3, 4);
    expect(Math.hypot(...vectors[129]!)).toBeCloseTo(1, 6);
    await embedder.close();
  });

  test.each(['/v1', '/v1/', '/v1/embeddings', '/v1/embeddings/'])(
    'is reached from the URL path %s',
    async (path) => {
      reply = answerWell;
      asked.length = 0;
      const embedder = open({ url: origin + path, apiKey: '' });
      await embedder.embed(['a'], 'query', NEVER);
      expect(asked).toMatchObject([{ path: '/v1/embeddings', authorization: undefined }]);
      expect(embedder.tag).toBe(`m@${origin.slice(7)}/v1/embeddings`);
    },
  );

  test('receives no request for an empty list', async () => {
    asked.length = 0;
    expect(await open().embed([], 'query', NEVER)).toEqual([]);
    expect(asked).toHaveLength(0);
  });
});

describe('a misbehaving endpoint is unavailable, and no error contains the key', () => {
  const item = (index: unknown, embedding: unknown) => ({ index, embedding });
  const replies: [string, typeof reply][] = [
    ['500', (response) => response.writeHead(500).end(KEY)],
    ['401', (response) => response.writeHead(401).end()],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: `${origin}/elsewhere` }).end(),
    ],
    ['a connection that is cut', (_response, _input, request) => request.socket.destroy()],
    ['silence', () => undefined],
    ['a body that stalls', (response) => response.write('{"data":[')],
    ['a body that is not JSON', (response) => response.end('<html>')],
    ['an empty body', (response) => response.end()],
    ['JSON of another shape', (response) => response.end('[]')],
    ['too few vectors', (response) => answer(response, [item(0, [1, 2])])],
    [
      'too many vectors',
      (response) =>
        answer(
          response,
          [0, 1, 2].map((i) => item(i, [1, 2])),
        ),
    ],
    ['a duplicate index', (response) => answer(response, [item(0, [1, 2]), item(0, [1, 2])])],
    ['an index out of range', (response) => answer(response, [item(0, [1, 2]), item(2, [1, 2])])],
    ['no index', (response) => answer(response, [{ embedding: [1] }, { embedding: [1] }])],
    ['strings', (response) => answer(response, [item(0, [1, 2]), item(1, ['1', 2])])],
    ['null for NaN', (response) => answer(response, [item(0, [1, 2]), item(1, [Number.NaN, 2])])],
    [
      'an infinite number',
      (response) =>
        response.end('{"data":[{"index":0,"embedding":[1e999]},{"index":1,"embedding":[1]}]}'),
    ],
    ['zero vectors', (response) => answer(response, [item(0, [1, 2]), item(1, [0, 0])])],
    ['empty vectors', (response) => answer(response, [item(0, []), item(1, [])])],
    ['vectors of two lengths', (response) => answer(response, [item(0, [1, 2]), item(1, [1])])],
  ];

  test.each(replies)('%s', async (_, misbehave) => {
    reply = misbehave;
    asked.length = 0;
    const error = await failure(open().embed(['a', 'b'], 'query', NEVER));
    expect(error.code).toBe('unavailable');
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain(KEY);
    expect(asked).toHaveLength(1);
  });

  test('an endless body, after 32 MiB of it', async () => {
    let sent = 0;
    reply = (response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(1 << 20))) sent += 1;
      };
      response.on('drain', more);
      more();
    };
    const error = await failure(open({ timeoutMs: 20_000 }).embed(['a'], 'query', NEVER));
    expect(String(error.cause)).toContain('an answer of more than');
    expect(sent).toBeLessThan(64);
  });

  test('a closed port', async () => {
    expect(
      (await failure(open({ url: 'http://127.0.0.1:1/v1' }).embed(['a'], 'query', NEVER))).code,
    ).toBe('unavailable');
  });

  test('a key that is not a valid header value', async () => {
    const error = await failure(open({ apiKey: 'se\ncret' }).embed(['a'], 'query', NEVER));
    expect(`${error.message} ${String(error.cause)}`).not.toContain('se\ncret');
  });

  test('vectors of a different length than before', async () => {
    const embedder = open();
    reply = answerWell;
    await embedder.embed(['a'], 'query', NEVER);
    reply = (response) => answer(response, [item(0, [1, 2, 3])]);
    expect((await failure(embedder.embed(['a'], 'query', NEVER))).code).toBe('unavailable');
  });
});

describe('the breaker', () => {
  test('refuses at once for 30 seconds after five failures in a row, then tries again', async () => {
    let now = 0;
    const embedder = open({ now: () => now });
    reply = (response) => response.writeHead(500).end();
    asked.length = 0;
    for (let i = 0; i < 5; i++) await failure(embedder.embed(['a'], 'query', NEVER));
    now = 10_000;
    expect((await failure(embedder.embed(['a'], 'query', NEVER))).details.retryAfterMs).toBe(
      20_000,
    );
    expect(asked).toHaveLength(5);
    reply = answerWell;
    now = 30_000;
    expect(await embedder.embed(['a'], 'query', NEVER)).toHaveLength(1);
    expect(await embedder.embed(['a'], 'query', NEVER)).toHaveLength(1);
  });

  test('does not count cancelled calls', async () => {
    const embedder = open();
    reply = () => undefined;
    for (let i = 0; i < 6; i++) {
      const stop = new AbortController();
      const call = embedder.embed(['a'], 'query', stop.signal);
      stop.abort(new Error('gone'));
      expect(await call.catch((error: unknown) => error)).toEqual(new Error('gone'));
    }
    reply = answerWell;
    expect(await embedder.embed(['a'], 'query', NEVER)).toHaveLength(1);
  });
});
