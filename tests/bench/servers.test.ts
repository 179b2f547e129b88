import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Processes } from '../../scripts/bench/processes.ts';
import type { SearchServer } from '../../scripts/bench/search-server.ts';
import { describeServer, runServer, SERVERS } from '../../scripts/bench/servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-servers-'));
const builds = join(folder, 'builds');
const processes = new Processes();
afterAll(() => rmSync(folder, { recursive: true }));

const catalogue = join(folder, 'catalogue.jsonl');
writeFileSync(catalogue, '{"name":"lamp"}\n{"name":"mug"}\n{"name":"lamp shade"}\n');
const TASK = {
  ...{ catalogue, questions: ['lamp'], seconds: 0.05, warmUpSeconds: 0 },
  connections: [1, 2],
};

/** Keeps what it is sent in a file, and finds the lines that contain the question. */
const PROGRAM = `
  const [file, port] = process.argv.slice(1);
  const { appendFileSync, existsSync, readFileSync } = require('node:fs');
  Bun.serve({ hostname: '127.0.0.1', port: Number(port), async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/add') appendFileSync(file, await request.text());
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\\n') : [];
    const found = lines.filter((line) => line.includes(searchParams.get('q')));
    return Response.json(found.map((line) => line.split(' ')[0]));
  } });
`;

/** A server that is a script, so that no toolchain is needed. */
function scripted(program: string): SearchServer {
  const post = (origin: string, path: string, body: string) =>
    fetch(origin + path, { method: 'POST', body }).then(() => undefined);
  return {
    ...{ name: 'Server 1.0', folder: 'lucene', tools: [], build: ['true'] },
    command({ work, port }) {
      mkdirSync(join(work, 'data'), { recursive: true });
      const file = join(work, 'data', 'lines');
      return { command: [process.execPath, '-e', program, file, String(port)], env: {} };
    },
    create: () => Promise.resolve(),
    add: (origin, lines, first) =>
      post(origin, '/add', lines.map((line, at) => `${first + at} ${line}\n`).join('')),
    publish: () => Promise.resolve(),
    settle: () => Promise.resolve(),
    request: (question) =>
      Buffer.from(`GET /?q=${encodeURIComponent(question)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`),
    idsIn: (body) => JSON.parse(body) as string[],
  };
}

test('a server is measured with the whole catalogue, and again after a restart', async () => {
  const server = scripted(PROGRAM);
  const answers: string[][] = [];
  const listening = {
    ...server,
    idsIn(body: string) {
      const ids = server.idsIn(body);
      answers.push(ids);
      return ids;
    },
  };
  const outcome = await runServer(listening, TASK, { processes, builds });
  expect(outcome).toMatchObject({
    report: { diskMb: 59 / 1e6, loads: [{ connections: 1 }, { connections: 2 }] },
  });
  expect(answers).toEqual([
    ['0', '2'],
    ['0', '2'],
  ]);
  expect(describeServer('Server 1.0', outcome)).toMatch(
    /^Server 1\.0, over HTTP: import [\d.]+ s, start [\d.]+ s, 1 at a time: p50 .* on disk/,
  );
});

test('a server is skipped with its reason without its toolchain, and if it does not start or finds nothing', async () => {
  const failing = 'console.error("starting\\nerror: no such setting"); process.exit(1)';
  const servers = [
    { ...SERVERS[0]!, tools: ['no-such-runtime'] },
    scripted(failing),
    { ...scripted(PROGRAM), idsIn: () => [] },
  ];
  const notes: string[] = [];
  for (const server of servers)
    notes.push(describeServer('Server', await runServer(server, TASK, { processes, builds })));
  expect(notes).toEqual([
    'Server: skipped: no-such-runtime not found on the PATH.',
    'Server: skipped: error: no such setting.',
    'Server: skipped: Server 1.0 finds nothing for “lamp”.',
  ]);
});
