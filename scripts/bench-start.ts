/**
 * Measures the time from the start of the binary to its first search response, on a data folder
 * with the sample catalogue, compared with a bare `Bun.serve` compiled in the same way. It
 * also measures memory after the first response and after the model has loaded.
 *
 *   bun scripts/bench-start.ts [--binary dist/vitrine] [--times 20]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleFiles } from '../src/assets/sample-files.ts';

const { values } = parseArgs({
  options: {
    binary: { type: 'string', default: 'dist/vitrine' },
    times: { type: 'string', default: '20' },
  },
});
const binary = resolve(values.binary);
const times = Number(values.times);

/** Between two attempts to connect. */
const POLL_MS = 3;
const GIVE_UP_MS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
try {
  const [bare, apiKey] = [await compileBare(), await prepare()];
  const serve = (port: number) => [
    binary,
    'serve',
    '--data',
    join(folder, 'data'),
    '--listen',
    `127.0.0.1:${port}`,
  ];
  const path = '/rest/search/v3/?q=rain+jacket';
  report('bare Bun.serve', await measure((port) => [bare, String(port)], { path: '/', apiKey }));
  report('vitrine', await measure(serve, { path, apiKey }));
  await reportMemory(serve, { path, apiKey });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Request {
  readonly path: string;
  readonly apiKey: string;
}

async function compileBare(): Promise<string> {
  const source = join(folder, 'bare.ts');
  writeFileSync(
    source,
    `Bun.serve({ hostname: '127.0.0.1', port: Number(process.argv[2]), fetch: () => new Response('ok') });\n`,
  );
  const outfile = join(folder, 'bare');
  await Bun.build({
    entrypoints: [source],
    target: 'bun',
    format: 'esm',
    bytecode: true,
    compile: { outfile },
  });
  return outfile;
}

/** Creates a data folder with the sample catalogue and its embeddings. Returns the key. */
async function prepare(): Promise<string> {
  const { offerings, contexts } = sampleFiles();
  const data = join(folder, 'data');
  writeFileSync(
    join(folder, 'offerings.jsonl'),
    offerings.replaceAll('"pictures/', '"https://shop.example.com/pictures/'),
  );
  const made = await run(
    'init',
    '--org',
    'Harbour & Pine',
    '--currency',
    'EUR',
    '--data',
    data,
    '--json',
  );
  await run('catalog', 'import', join(folder, 'offerings.jsonl'), '--data', data);
  for (const { name, text } of contexts) await Bun.write(join(folder, 'contexts', name), text);
  await run('catalog', 'import', join(folder, 'contexts'), '--data', data);
  const { apiKey } = JSON.parse(made) as { apiKey: string };
  const port = await freePort();
  const service = start([binary, 'serve', '--data', data, '--listen', `127.0.0.1:${port}`]);
  await firstAnswer(port, { path: '/healthz', apiKey });
  await run('catalog', 'stats', '--wait', '--data', data);
  await stop(service);
  return apiKey;
}

async function run(...args: string[]): Promise<string> {
  const { stdout, stderr, exited } = Bun.spawn([binary, ...args], {
    env: {},
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [printed, complaints] = await Promise.all([
    new Response(stdout).text(),
    new Response(stderr).text(),
  ]);
  if ((await exited) !== 0) throw new Error(`${args.join(' ')}: ${complaints}${printed}`);
  return printed;
}

async function measure(command: (port: number) => string[], request: Request): Promise<number[]> {
  const durations: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const port = await freePort();
    const startedMs = performance.now();
    const service = start(command(port));
    await firstAnswer(port, request);
    durations.push(performance.now() - startedMs);
    await stop(service);
  }
  return durations.sort((a, b) => a - b);
}

async function reportMemory(command: (port: number) => string[], request: Request): Promise<void> {
  const port = await freePort();
  const service = start(command(port));
  await firstAnswer(port, request);
  const afterStart = residentMb(service.pid);
  while ((await ask(port, request)).scoring !== 'local') await Bun.sleep(100);
  for (let count = 0; count < 50; count += 1)
    await ask(port, { ...request, path: `${request.path}+${count}` });
  console.log(
    `memory: ${afterStart} MB at the first answer, ${residentMb(service.pid)} MB with the model after 50 searches`,
  );
  await stop(service);
}

async function ask(port: number, { path, apiKey }: Request): Promise<{ scoring?: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'X-API-Key': apiKey },
  });
  return (await response.json()) as { scoring?: string };
}

function start(command: string[]): Bun.Subprocess {
  return Bun.spawn(command, { env: {}, cwd: folder, stdout: 'ignore', stderr: 'ignore' });
}

async function stop(service: Bun.Subprocess): Promise<void> {
  service.kill();
  await service.exited;
}

/** Resolves with the first 200. */
async function firstAnswer(port: number, { path, apiKey }: Request): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAt) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'X-API-Key': apiKey },
    }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error('no answer');
}

function freePort(): Promise<number> {
  return new Promise((resolvePort) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolvePort(port));
    });
  });
}

/** Linux only; NaN elsewhere. */
function residentMb(pid: number): number {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return Number.NaN;
  }
}

function report(name: string, durations: readonly number[]): void {
  const [least, middle, most] = [durations[0], durations[durations.length >> 1], durations.at(-1)];
  const figures = [least, middle, most].map((ms) => `${ms!.toFixed(0)} ms`);
  console.log(
    `${name.padEnd(16)} min ${figures[0]}, median ${figures[1]}, max ${figures[2]} of ${durations.length}`,
  );
}
