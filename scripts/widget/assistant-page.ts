import { join } from 'node:path';
import { samplePicture } from '../../src/assets/sample-pictures.ts';
import { sampleOfferings } from './tool-results.ts';

export interface AssistantPage {
  readonly url: string;
  readonly picturesUrl: string;
  stop(): Promise<void>;
}

/** Serves a page with the assistant in it at `/`, and the sample catalogue's pictures, on this machine alone. */
export async function serveAssistantPage(port = 0, script = ''): Promise<AssistantPage> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'assistant.ts')],
    target: 'browser',
    format: 'esm',
  });
  const assistant = await built.outputs[0]!.text();
  const pictured = new Map((await sampleOfferings('')).map((offering) => [offering.slug, offering]));
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname === '/') return answer(PAGE, 'text/html; charset=utf-8');
      if (pathname === '/assistant.js') return answer(`${assistant}\n${script}`, 'text/javascript');
      const offering = pictured.get(/^\/pictures\/([\w-]+)\.svg$/.exec(pathname)?.[1] ?? '');
      return offering === undefined
        ? new Response('not found', { status: 404 })
        : answer(samplePicture(offering), 'image/svg+xml');
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return { url, picturesUrl: `${url}/pictures`, stop: () => server.stop(true) };
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>An assistant</title>
<style>
  body { margin: 0 }
  iframe { display: block; max-width: 100%; border: 0 }
</style>
<body></body>
<script type="module" src="/assistant.js"></script>
</html>
`;

function answer(body: string, type: string): Response {
  return new Response(body, { headers: { 'content-type': type } });
}
