import { join } from 'node:path';
import { samplePicture } from '../../src/assets/sample-pictures.ts';
import type { Showing } from './assistant.ts';
import { sampleOfferings } from './tool-results.ts';

export interface AssistantPage {
  readonly url: string;
  readonly picturesUrl: string;
  stop(): Promise<void>;
}

/**
 * Serves a page with the assistant at `/`, and the sample catalogue's images, on this machine only.
 * With `showingFor`, the page shows what that function returns for its query; otherwise, the caller
 * decides what to show.
 */
export async function serveAssistantPage(
  port = 0,
  showingFor?: (page: AssistantPage, query: URLSearchParams) => Promise<Showing>,
): Promise<AssistantPage> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'assistant.ts')],
    target: 'browser',
    format: 'esm',
  });
  const script = `${await built.outputs[0]!.text()}\n${showingFor === undefined ? '' : SHOW}`;
  const pictured = new Map(
    (await sampleOfferings('')).map((offering) => [offering.slug, offering]),
  );
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch({ url }): Promise<Response> {
      const { pathname, searchParams } = new URL(url);
      if (pathname === '/') return answer(PAGE, 'text/html; charset=utf-8');
      if (pathname === '/assistant.js') return answer(script, 'text/javascript');
      if (pathname === '/showing') return Response.json(await showingFor?.(page, searchParams));
      const offering = pictured.get(/^\/pictures\/([\w-]+)\.svg$/.exec(pathname)?.[1] ?? '');
      return offering === undefined
        ? new Response('not found', { status: 404 })
        : answer(samplePicture(offering), 'image/svg+xml');
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const page = { url, picturesUrl: `${url}/pictures`, stop: () => server.stop(true) };
  return page;
}

const SHOW = "assistant.show(await (await fetch('/showing' + location.search)).json());\n";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>An assistant</title>
<link rel="icon" href="data:,">
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
