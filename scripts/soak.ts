/**
 * Serves mixed traffic with faults for a long time: searches, hits, assistants, streams that vanish,
 * imports, rebuilds, backups, garbage, and a language model that is well, broken, slow or gone by
 * turns. Prints answers by status, and the memory of the service: after warm-up, at the end, its most,
 * and its slope. Exit code 1 for a 5xx, an error in the log, memory that reaches 1.5 times its level after
 * warm-up, or, in two hours and more, memory that grows by more than 1 MB an hour.
 *
 *   bun scripts/soak.ts [--minutes 10] [--slower 1] [--binary FILE] [--data FOLDER --catalogue PRODUCTS.jsonl[.gz]]
 *
 * About 250 requests a second, or a fraction of that: `--slower 8` makes each pause eight times as long.
 * FOLDER: with that catalogue imported and embedded; it is copied. Without it the sample catalogue is served.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { bytesOf, faultOfBytes, makeGarbage, randomFrom } from '../tests/support/garbage.ts';
import { hitOf, posted } from '../tests/support/hits.ts';
import { run, SOURCE_COMMAND, serve } from '../tests/support/processes.ts';
import { exchange } from '../tests/support/raw-exchange.ts';
import { withKey } from '../tests/support/service.ts';
import {
  FAULTS,
  gradeHonestly,
  startChatEndpoint,
} from '../tests/support/stand-in-chat-endpoint.ts';
import { churn } from '../tests/support/vanishing-clients.ts';
import { residentMb } from './bench/processes.ts';
import { prepareData } from './bench/vitrine.ts';
import { ROOT } from './binary/folders.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    slower: { type: 'string', default: '1' },
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
  const vitrine = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await run(command, [...args, '--data', data, '--json']);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
    return JSON.parse(stdout) as Record<string, string>;
  };
  await prepareData({ label: '', command }, { data, copyOf: values.data });
  const { apiKey } = (await vitrine('key', 'create')) as { apiKey: string };
  const [{ slug }] = (await vitrine('org', 'list')) as unknown as [{ slug: string }];
  const versions = writeVersions();
  await vitrine('catalog', 'import', versions[0]!);
  const model = await startChatEndpoint();
  const flags = ['--scorer-url', model.origin, '--scorer-model', 'm', '--scorer-budget-ms', '300'];
  const serving = await serve(command, ['--data', data, '--log-level', 'warn', ...flags]);
  const statuses = new Map<string, number>();
  const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const asStranger = (path: string, init?: RequestInit) => fetch(serving.url + path, init);
  // The service may close an idle connection just when a client sends its next request on it. HTTP leaves
  // it to the client to ask again; the report says how often that happened.
  const ask = async (path: string, init?: RequestInit) => {
    const response = await withKey(asStranger, apiKey)(path, init).catch(() => null);
    await response?.arrayBuffer();
    count(response === null ? 'no answer' : `${response.status}`);
  };
  const random = randomFrom(1);
  const words = () => QUESTIONS[Math.floor(random() * QUESTIONS.length)]!;
  const question = () => encodeURIComponent(`${words()} ${Math.floor(random() * 50)}`);
  const rpc = (name: string, args: object) =>
    posted({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  // With its own key, because the service refuses further streams of a key with twenty open ones.
  const ofStreams = await vitrine('key', 'create');
  const streams = {
    port: Number(new URL(serving.url).port),
    apiKeys: [ofStreams['apiKey']!],
  };
  let turn = 0;
  let imports = 0;
  const actors: readonly [everyMs: number, act: () => Promise<unknown>][] = [
    [20, () => ask(`/rest/search/v3/?q=${question()}`)],
    [20, () => ask(`/rest/search/v2/?q=${question()}&skip_scoring=true`)],
    [
      10,
      () => ask('/rest/hits/', posted(hitOf(slug, { path: `/p/${Math.floor(random() * 99)}` }))),
    ],
    [500, () => ask('/rest/hits/', posted(Array.from({ length: 100 }, () => hitOf(slug))))],
    [50, () => ask('/mcp', rpc('search_offerings', { question: words() }))],
    [300, () => ask('/mcp', rpc('list_all_offerings', {}))],
    [100, () => ask(`/rest/org/ai/${slug}/`)],
    [5000, () => ask(`/rest/org/ai/${slug}/?regenerate=true`)],
    [2000, () => churn(streams, 20)],
    [30_000, () => vitrine('catalog', 'import', versions[imports++ % versions.length]!, '--full')],
    [120_000, () => vitrine('backup', join(folder, 'backup.db'), '--force')],
    [60_000, () => vitrine('key', 'create')],
    [
      50,
      async () => {
        const garbage = makeGarbage(random);
        const fault = faultOfBytes(
          garbage,
          await exchange(serving.url, bytesOf(random, garbage, apiKey)),
        );
        count(fault === null ? 'garbage refused' : `garbage: ${fault}`);
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
  const samples: Sample[] = [];
  const sampling = (async () => {
    while (performance.now() < endMs) {
      await Bun.sleep(SAMPLE_EVERY_MS);
      const hours = (performance.now() - startedMs) / 3_600_000;
      samples.push({ hours, mb: residentMb(serving.process.pid!) ?? Number.NaN });
      if (samples.length % REPORT_EVERY_SAMPLES === 0)
        console.log(
          `${(hours * 60).toFixed(0)} min: ${meanMb(samples.slice(-LEVEL_SAMPLES)).toFixed(0)} MB`,
        );
    }
  })();
  const acting = actors.map(async ([everyMs, act]) => {
    while (performance.now() < endMs) {
      await act();
      await Bun.sleep(Math.min(everyMs * slower, Math.max(0, endMs - performance.now())));
    }
  });
  await Promise.all([sampling, ...acting]);
  const exitCode = await serving.stop();
  model.close();
  report({ statuses, samples, exitCode, log: serving.stderr() });
}

/** The catalogue, and the same with other texts and without some of it. */
function writeVersions(): string[] {
  const items = readItems();
  const changed = items
    .slice(10)
    .map((item, at) =>
      at % CHANGED_EVERY === 0 ? { ...item, description: 'Now in another box.' } : item,
    );
  return [items, changed].map((version, index) => {
    const path = join(folder, `version-${index}.jsonl`);
    writeFileSync(path, version.map((item) => `${JSON.stringify(item)}\n`).join(''));
    return path;
  });
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
  readonly mb: number;
}

interface Outcome {
  readonly statuses: ReadonlyMap<string, number>;
  readonly samples: readonly Sample[];
  readonly exitCode: number | null;
  readonly log: string;
}

function report({ statuses, samples, exitCode, log }: Outcome): void {
  for (const [what, times] of [...statuses].sort()) console.log(`${what.padEnd(20)} ${times}`);
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const { slope, deviation } = slopeOf(warm);
  const level = meanMb(warm.slice(0, LEVEL_SAMPLES));
  const end = meanMb(warm.slice(-LEVEL_SAMPLES));
  const most = Math.max(...warm.map(({ mb }) => mb));
  const ofLevel = (mb: number) => `${mb.toFixed(0)} MB (${(mb / level).toFixed(2)} ×)`;
  console.log(
    `memory after warm-up: ${level.toFixed(0)} MB; at the end ${ofLevel(end)}, most ${ofLevel(most)}, slope ${slope.toFixed(1)} ± ${(2 * deviation).toFixed(1)} MB/h`,
  );
  const errors = log.split('\n').filter((line) => line.includes('"level":"error"'));
  console.log(`${errors.length} errors in the log, exit code ${exitCode}`);
  for (const line of errors.slice(0, 10)) console.log(line);
  const isBad = [...statuses.keys()].some((what) => /^5|^garbage:/.test(what));
  const rises = minutes >= JUDGED_FROM_MINUTES && slope - 2 * deviation > SLOPE_MAX_MB_PER_HOUR;
  const grows = rises || most > level * GROWTH_MAX;
  if (isBad || grows || errors.length > 0 || exitCode !== 0) process.exitCode = 1;
}

function meanMb(samples: readonly Sample[]): number {
  return samples.reduce((sum, { mb }) => sum + mb, 0) / samples.length;
}

/** Least-squares slope of the samples in megabytes per hour, with its standard error. */
function slopeOf(samples: readonly Sample[]): { slope: number; deviation: number } {
  const hours = samples.reduce((sum, sample) => sum + sample.hours, 0) / samples.length;
  const mb = meanMb(samples);
  const spread = samples.reduce((sum, sample) => sum + (sample.hours - hours) ** 2, 0);
  const slope =
    samples.reduce((sum, sample) => sum + (sample.hours - hours) * (sample.mb - mb), 0) / spread;
  const residues = samples.reduce(
    (sum, sample) => sum + (sample.mb - mb - slope * (sample.hours - hours)) ** 2,
    0,
  );
  return { slope, deviation: Math.sqrt(residues / (samples.length - 2) / spread) };
}
