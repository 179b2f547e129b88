import { expect, test } from 'bun:test';
import { readConfig } from '../src/config.ts';
import { embedderSource, openFormerEmbedder } from '../src/embedders.ts';
import { fakePlatform } from './support/fake-platform.ts';

function configOf(flags: Record<string, string>) {
  return readConfig({ dataFolder: '/data', flags, environment: {}, file: {} });
}

const ENDPOINT = {
  embedder: 'endpoint',
  embedderModel: 'm',
  embedderUrl: 'https://one.example/v1',
};

test.each([
  ['the built-in model', { embedder: 'local' }, { embedder: 'local' }],
  [
    'an added model, by its name',
    { embedder: 'folder', embedderPath: 'e5' },
    { embedder: 'folder', path: 'e5' },
  ],
  [
    'a folder, by its path',
    { embedder: 'folder', embedderPath: '/e5/x' },
    { embedder: 'folder', path: '/e5/x' },
  ],
  ['an endpoint', ENDPOINT, { embedder: 'endpoint', url: ENDPOINT.embedderUrl, model: 'm' }],
  [
    'an endpoint with a key in its address',
    { ...ENDPOINT, embedderUrl: 'https://one.example/?key=1' },
    null,
  ],
  [
    'an endpoint with a password in its address',
    { ...ENDPOINT, embedderUrl: 'https://a:b@one.example/' },
    null,
  ],
  ['none', { embedder: 'off' }, null],
])('what is stored to open it again: %s', (_, flags, source) => {
  const config = configOf(flags as Record<string, string>);
  expect(embedderSource(config)).toEqual(source as ReturnType<typeof embedderSource>);
});

test('the key of an endpoint goes to no other endpoint than the one it is configured with', async () => {
  const asked: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      asked.push(request.headers.get('authorization'));
      return new Response('', { status: 500 });
    },
  });
  const url = `http://127.0.0.1:${server.port}/v1`;
  const former = { tag: 't', source: { embedder: 'endpoint', url, model: 'm' } };
  for (const embedderUrl of [url, 'https://one.example/v1']) {
    const config = configOf({ ...ENDPOINT, embedderUrl, embedderApiKey: 'secret' });
    const { embedder } = openFormerEmbedder(former, config, fakePlatform())!;
    await embedder.embed(['a'], 'query', new AbortController().signal).catch(() => undefined);
  }
  await server.stop(true);
  expect(asked).toEqual(['Bearer secret', null]);
});

test.each([
  [
    'a tag of the built-in model, from before this was stored',
    'all-MiniLM-L6-v2/onnx-native',
    null,
    true,
  ],
  ['another tag from before this was stored', 'e5@012345678901/onnx-native', null, null],
  ['a kind that this version does not know', 'x', { embedder: 'cloud' }, null],
  ['damaged data', 'x', 7, null],
])('opening a former model: %s', async (_, tag, source, isLocal) => {
  const opened = openFormerEmbedder({ tag, source }, configOf({}), fakePlatform());
  expect(opened?.isLocal ?? null).toBe(isLocal);
  await opened?.embedder.close();
});
