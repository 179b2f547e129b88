/**
 * Serves mixed traffic with faults for a long time: searches, hits, assistants, streams that vanish,
 * imports, rebuilds, backups, garbage, and a language model that in turn works, fails, is slow and is
 * gone. A second organization searches at the same time. Prints answers by status, the memory of the service
 * (after warm-up, at the end, its most, and its slope), its open descriptors and the size of its data folder.
 * Exit code 1 for a 5xx, an error in the log, an answer with another organization's offerings, memory that
 * reaches 1.5 times its level after warm-up, descriptors that reach twice theirs, or, in two hours and more,
 * memory that grows by more than 1 MB an hour.
 *
 *   bun scripts/soak.ts [--minutes 10] [--slower 1] [--restarts 0] [--binary FILE]
 *                       [--data FOLDER --catalogue PRODUCTS.jsonl[.gz]]
 *
 * About 250 requests a second, or a fraction of that: `--slower 8` makes each pause eight times as long.
 * --restarts: how often the service is stopped and started again, every second time with SIGKILL. What is asked
 * meanwhile gets no answer. Levels are then compared with those of the last process.
 * FOLDER: with that catalogue imported and embedded; it is copied. Without it the sample catalogue is served.
 */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { bytesOf, faultOfBytes, makeGarbage, randomFrom } from '../tests/support/garbage.ts';
import { hitOf, posted } from '../tests/support/hits.ts';
import { run, type Serving, SOURCE_COMMAND, serve } from '../tests/support/processes.ts';
import { exchange } from '../tests/support/raw-exchange.ts';
import { withKey } from '../tests/support/service.ts';
import {
  FAULTS,
  gradeHonestly,
  startChatEndpoint,
} from '../tests/support/stand-in-chat-endpoint.ts';
import { churn } from '../tests/support/vanishing-clients.ts';
import { freePort, residentMb } from './bench/processes.ts';
import { prepareData } from './bench/vitrine.ts';
import { ROOT } from './binary/folders.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    slower: { type: 'string', default: '1' },
    restarts: { type: 'string', default: '0' },
    binary: { type: 'string' },
    data: { type: 'string' },
    catalogue: { type: 'string' },
  },
});
if ((values.data === undefined) !== (values.catalogue === undefined))
  throw new Error('--data and --catalogue belong together');
const minutes = Number(values.minutes);
const slower = Number(values.slower);
const command = values.binary === undefined ? SOURCE_COMMAND : [values.binary];

const SAMPLE_EVERY_MS = 5000;
const REPORT_EVERY_SAMPLES = 120;

/** Share of the run that counts as warm-up: growth to the normal size is not a leak. */
const WARM_UP_SHARE = 0.3;

/** Samples whose mean is the level at one time: half a minute. */
const LEVEL_SAMPLES = 6;

/** Of the level after warm-up, that memory may reach. */
const GROWTH_MAX = 1.5;

/** One item in so many has another text in the next version of the catalogue. */
const CHANGED_EVERY = 10;

/** In a shorter run, the slope is only noise. */
const JUDGED_FROM_MINUTES = 120;
const SLOPE_MAX_MB_PER_HOUR = 1;

const MODEL_TURN_MS = 7000;

/** States of the language model, alternately working and one of the faults. */
const REPLIES = Object.values(FAULTS).flatMap((fault) => [gradeHonestly, fault]);

/** The second organization, and the word that each of its names begins with, and no other. */
const NEIGHBOUR = 'neighbour';
const MARK = 'Zanzibarian';
const NEIGHBOURS_ITEMS = 200;
const LEAK = 'LEAK';

/** Of their number after warm-up, that open descriptors may reach. */
const DESCRIPTORS_MAX = 2;

const START_ATTEMPTS = 60;
const START_PAUSE_MS = 500;

const QUESTIONS = [
  ...['mug', 'grinder under 100', 'gift for a coffee lover', 'waterproof jacket', 'return policy'],
  ...['beans without additives', 'table 80x120', 'jakcet', 'in stock lamp', 'SKU-4431', 'shipping'],
];

const folder = mkdtempSync(join(tmpdir(), 'vitrine-soak-'));
try {
  await soak();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function soak(): Promise<void> {
  const data = join(folder, 'data');
  const runVitrine = (...args: string[]) => run(command, [...args, '--data', data, '--json']);
  const vitrine = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runVitrine(...args);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
    return JSON.parse(stdout) as Record<string, string>;
  };
  await prepareData({ label: '', command }, { data, copyOf: values.data });
  const [{ slug }] = (await vitrine('org', 'list')) as unknown as [{ slug: string }];
  await vitrine('org', 'create', 'Neighbour', '--slug', NEIGHBOUR);
  await vitrine('org', 'set', '--org', NEIGHBOUR, '--unlimited');
  const createKey = async (org: string) =>
    (await vitrine('key', 'create', '--org', org))['apiKey']!;
  const apiKey = await createKey(slug);
  const neighboursKey = await createKey(NEIGHBOUR);
  const versions = writeVersions('version', readItems());
  const neighbours = writeVersions('neighbour', readItems().slice(0, NEIGHBOURS_ITEMS).map(marked));
  const importArgs = (org: string, path: string) => ['catalog', 'import', path, '--org', org];
  await vitrine(...importArgs(slug, versions[0]!));
  await vitrine(...importArgs(NEIGHBOUR, neighbours[0]!));
  const model = await startChatEndpoint();
  const flags = ['--scorer-url', model.origin, '--scorer-model', 'm', '--scorer-budget-ms', '300'];
  const port = await freePort();
  const address = ['--data', data, '--listen', `127.0.0.1:${port}`, '--log-level', 'warn'];
  const start = async (attempts = START_ATTEMPTS): Promise<Serving> => {
    try {
      return await serve(command, [...address, ...flags]);
    } catch (error) {
      // A command that found no service may hold the data folder for a moment.
      if (attempts === 1) throw error;
      await Bun.sleep(START_PAUSE_MS);
      return start(attempts - 1);
    }
  };
  let serving = await start();
  let log = '';
  /** Counts stops: a command that was under way meanwhile may have failed. */
  let stops = 0;
  let running = Promise.resolve();
  const statuses = new Map<string, number>();
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const asStranger = (path: string, init?: RequestInit) => fetch(serving.url + path, init);
  // The service may close an idle connection just when a client sends its next request on it. HTTP leaves
  // it to the client to ask again; the report says how often that happened.
  const askAs = async (key: string, path: string, init?: RequestInit) => {
    const response = await withKey(asStranger, key)(path, init).catch(() => null);
    const text = (await response?.text().catch(() => null)) ?? null;
    if (text === null) count('no answer');
    else
      count(response!.status < 500 ? `${response!.status}` : `${response!.status} ${whyOf(text)}`);
    return text ?? '';
  };
  const ask = async (path: string, init?: RequestInit) => {
    if ((await askAs(apiKey, path, init)).includes(MARK)) count(LEAK);
  };
  const errand = async (...args: string[]) => {
    await running;
    const before = stops;
    const { exitCode, stderr } = await runVitrine(...args);
    if (exitCode === 0) return;
    if (before === stops) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
    count('command broken off');
  };
  // The first index of a large catalogue takes longer than a search waits for it.
  while ((await withKey(asStranger, apiKey)('/rest/search/v3/?q=mug')).status === 503)
    await Bun.sleep(START_PAUSE_MS);
  const random = randomFrom(1);
  const words = () => QUESTIONS[Math.floor(random() * QUESTIONS.length)]!;
  const question = () => encodeURIComponent(`${words()} ${Math.floor(random() * 50)}`);
  const rpc = (name: string, args: object) =>
    posted({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  // With its own key, because the service refuses further streams of a key with twenty open ones.
  const streams = { port, apiKeys: [await createKey(slug)] };
  let turn = 0;
  let imports = 0;
  const actors: readonly [everyMs: number, act: () => Promise<unknown>][] = [
    [20, () => ask(`/rest/search/v3/?q=${question()}`)],
    [20, () => ask(`/rest/search/v2/?q=${question()}&skip_scoring=true`)],
    [
      40,
      async () => {
        const answer = await askAs(neighboursKey, `/rest/search/v2/?q=${question()}`);
        for (const [name] of answer.matchAll(/"name":"[^"]*/g))
          if (!name.includes(MARK)) count(LEAK);
      },
    ],
    [
      10,
      () => ask('/rest/hits/', posted(hitOf(slug, { path: `/p/${Math.floor(random() * 99)}` }))),
    ],
    [500, () => ask('/rest/hits/', posted(Array.from({ length: 100 }, () => hitOf(slug))))],
    [50, () => ask('/mcp', rpc('search_offerings', { question: words() }))],
    [300, () => ask('/mcp', rpc('list_all_offerings', {}))],
    [100, () => ask(`/rest/org/ai/${slug}/`)],
    [5000, () => ask(`/rest/org/ai/${slug}/?regenerate=true`)],
    [
      2000,
      async () => {
        await running;
        await churn(streams, 20);
      },
    ],
    [30_000, () => errand(...importArgs(slug, versions[imports++ % versions.length]!), '--full')],
    [
      20_000,
      () => errand(...importArgs(NEIGHBOUR, neighbours[imports % neighbours.length]!), '--full'),
    ],
    [120_000, () => errand('backup', join(folder, 'backup.db'), '--force')],
    [60_000, () => errand('key', 'create', '--org', slug)],
    [
      50,
      async () => {
        const garbage = makeGarbage(random);
        const before = stops;
        const answer = await exchange(serving.url, bytesOf(random, garbage, apiKey)).catch(
          () => null,
        );
        const fault = answer === null ? 'no answer' : faultOfBytes(garbage, answer);
        if (before !== stops) count('garbage broken off');
        else count(fault === null ? 'garbage refused' : `garbage: ${fault}`);
      },
    ],
    [
      MODEL_TURN_MS,
      async () => {
        turn += 1;
        model.reply = REPLIES[turn % REPLIES.length]!;
        count(model.reply === gradeHonestly ? 'model well' : 'model fault');
      },
    ],
  ];
  const startedMs = performance.now();
  const endMs = startedMs + minutes * 60_000;
  let samples: Sample[] = [];
  const sampling = (async () => {
    for (let taken = 1; performance.now() < endMs; taken += 1) {
      await Bun.sleep(SAMPLE_EVERY_MS);
      const hours = (performance.now() - startedMs) / 3_600_000;
      const sample = sampleOf(serving.process.pid!, data, hours);
      if (sample !== null) samples.push(sample);
      if (taken % REPORT_EVERY_SAMPLES === 0 && sample !== null)
        console.log(
          `${(hours * 60).toFixed(0)} min: ${meanOf(samples.slice(-LEVEL_SAMPLES), 'mb').toFixed(0)} MB, ${told(sample)}`,
        );
    }
  })();
  const restarting = (async () => {
    const restarts = Number(values.restarts);
    for (let time = 1; time <= restarts; time += 1) {
      await Bun.sleep(
        Math.max(0, startedMs + (time * minutes * 60_000) / (restarts + 1) - performance.now()),
      );
      const { promise, resolve } = Promise.withResolvers<void>();
      running = promise;
      stops += 1;
      const isKilled = time % 2 === 0;
      if (isKilled) {
        const closed = once(serving.process, 'close');
        serving.process.kill('SIGKILL');
        await closed;
      } else {
        const exitCode = await serving.stop();
        if (exitCode !== 0) count(`stopped with exit code ${exitCode}`);
      }
      log += serving.stderr();
      const stoppedMs = performance.now();
      serving = await start();
      console.log(
        `${isKilled ? 'killed' : 'stopped'}, listens again after ${(performance.now() - stoppedMs).toFixed(0)} ms`,
      );
      samples = [];
      resolve();
    }
  })();
  const acting = actors.map(async ([everyMs, act]) => {
    while (performance.now() < endMs) {
      await act();
      await Bun.sleep(Math.min(everyMs * slower, Math.max(0, endMs - performance.now())));
    }
  });
  await Promise.all([sampling, restarting, ...acting]);
  const exitCode = await serving.stop();
  model.close();
  report({ statuses, samples, exitCode, log: log + serving.stderr() });
}

/** A catalogue, and the same with other texts and without some of it. */
function writeVersions(name: string, items: readonly object[]): string[] {
  const changed = items
    .slice(10)
    .map((item, at) =>
      at % CHANGED_EVERY === 0 ? { ...item, description: 'Now in another box.' } : item,
    );
  return [items, changed].map((version, index) => {
    const path = join(folder, `${name}-${index}.jsonl`);
    writeFileSync(path, version.map((item) => `${JSON.stringify(item)}\n`).join(''));
    return path;
  });
}

/** The part of an error that does not differ from one request to the next. */
function whyOf(error: string): string {
  return /"(?:detail|message)":"[^"]*"/.exec(error)?.[0] ?? error.slice(0, 200);
}

function marked(item: object): object {
  return 'name' in item ? { ...item, name: `${MARK} ${item.name}` } : item;
}

function readItems(): object[] {
  const sample = join(ROOT, 'src', 'assets', 'sample', 'offerings.jsonl');
  const path = values.catalogue ?? sample;
  const bytes = readFileSync(path);
  const text = new TextDecoder().decode(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  const items = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as object);
  // The sample's pictures are addresses only in the demo.
  return path === sample ? items.map((item) => ({ ...item, image: null })) : items;
}

interface Sample {
  readonly hours: number;
  /** Resident memory. */
  readonly mb: number;
  readonly descriptors: number;
  /** Of the data folder. */
  readonly diskMb: number;
}

/** Null once the process is gone. */
function sampleOf(pid: number, data: string, hours: number): Sample | null {
  const mb = residentMb(pid);
  if (mb === null) return null;
  const sizes = readdirSync(data, { recursive: true, encoding: 'utf8' }).map(
    (file) => statSync(join(data, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  const diskMb = sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
  return { hours, mb, descriptors: readdirSync(`/proc/${pid}/fd`).length, diskMb };
}

function told({ descriptors, diskMb }: Sample): string {
  return `${descriptors} descriptors, ${diskMb.toFixed(0)} MB on disk`;
}

interface Outcome {
  readonly statuses: ReadonlyMap<string, number>;
  /** Of the last process. */
  readonly samples: readonly Sample[];
  readonly exitCode: number | null;
  readonly log: string;
}

function report({ statuses, samples, exitCode, log }: Outcome): void {
  for (const [what, times] of [...statuses].sort()) console.log(`${what.padEnd(20)} ${times}`);
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const { slope, deviation } = slopeOf(warm);
  const [first, last] = [warm.slice(0, LEVEL_SAMPLES), warm.slice(-LEVEL_SAMPLES)];
  const level = meanOf(first, 'mb');
  const most = Math.max(...warm.map(({ mb }) => mb));
  const ofLevel = (mb: number) => `${mb.toFixed(0)} MB (${(mb / level).toFixed(2)} ×)`;
  console.log(
    `memory after warm-up: ${level.toFixed(0)} MB; at the end ${ofLevel(meanOf(last, 'mb'))}, most ${ofLevel(most)}, slope ${slope.toFixed(1)} ± ${(2 * deviation).toFixed(1)} MB/h`,
  );
  console.log(`after warm-up: ${told(warm[0]!)}; at the end: ${told(warm.at(-1)!)}`);
  const errors = log.split('\n').filter((line) => line.includes('"level":"error"'));
  console.log(`${errors.length} errors in the log, exit code ${exitCode}`);
  for (const line of errors.slice(0, 10)) console.log(line);
  const isBad = [...statuses.keys()].some((what) => /^(?:5|garbage:|stopped)/.test(what));
  const rises = minutes >= JUDGED_FROM_MINUTES && slope - 2 * deviation > SLOPE_MAX_MB_PER_HOUR;
  const descriptors = meanOf(last, 'descriptors') / meanOf(first, 'descriptors');
  const grows = rises || most > level * GROWTH_MAX || descriptors > DESCRIPTORS_MAX;
  if (isBad || grows || statuses.has(LEAK) || errors.length > 0 || exitCode !== 0)
    process.exitCode = 1;
}

function meanOf(samples: readonly Sample[], figure: 'mb' | 'descriptors'): number {
  return samples.reduce((sum, sample) => sum + sample[figure], 0) / samples.length;
}

/** Least-squares slope of the samples in megabytes per hour, with its standard error. */
function slopeOf(samples: readonly Sample[]): { slope: number; deviation: number } {
  const hours = samples.reduce((sum, sample) => sum + sample.hours, 0) / samples.length;
  const mb = meanOf(samples, 'mb');
  const spread = samples.reduce((sum, sample) => sum + (sample.hours - hours) ** 2, 0);
  const slope =
    samples.reduce((sum, sample) => sum + (sample.hours - hours) * (sample.mb - mb), 0) / spread;
  const residues = samples.reduce(
    (sum, sample) => sum + (sample.mb - mb - slope * (sample.hours - hours)) ** 2,
    0,
  );
  return { slope, deviation: Math.sqrt(residues / (samples.length - 2) / spread) };
}
