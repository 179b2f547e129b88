/**
 * Opens 2,000 streams whose clients then vanish, followed by 20,000 more, a few at a time. Prints
 * the memory of the service before, during and after. “Before” follows a warm-up of some thousand
 * streams, during which the service reaches its normal size. Exit code 1 if the service is more
 * than 20 MB larger at the end, or if a stream cannot be opened.
 *
 *   bun scripts/mcp-streams.ts [--binary FILE] [--open 2000] [--churn 20000]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SILENT } from '../src/operations/define-operation.ts';
import { callOperator } from '../src/operator/operator-client.ts';
import { socketPath } from '../src/operator/socket-path.ts';
import { churn, openStreams, STREAMS_OF_KEY, vanish } from '../tests/support/vanishing-clients.ts';
import { Processes, residentMb } from './bench/processes.ts';
import { findProgram, prepareData, type Service, startService } from './bench/vitrine.ts';

/** Streams of the warm-up, after which a service has reached its normal size. */
const WARM_UP_CHURN = 5000;

/**
 * Interval between memory samples after the clients have gone. An idle service does not collect
 * garbage, so each sample sends a request.
 */
const SETTLE_MS = 3000;
const SETTLING_REQUESTS = 1000;
const LOOKS = 4;

const GROWTH_MAX_MB = 20;

const { values } = parseArgs({
  options: {
    binary: { type: 'string' },
    open: { type: 'string', default: '2000' },
    churn: { type: 'string', default: '20000' },
  },
});
const openCount = Number(values.open);
const churnCount = Number(values.churn);

const folder = mkdtempSync(join(tmpdir(), 'vitrine-streams-'));
const processes = new Processes();
try {
  await run();
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const program = findProgram(values.binary);
  const prepared = await prepareData(program, { data: join(folder, 'data'), copyOf: undefined });
  const service = await startService(processes, program, prepared);
  const memory = () => residentMb(service.process.pid) ?? Number.NaN;
  const apiKeys = await makeKeys(prepared.data, Math.ceil(openCount / STREAMS_OF_KEY));
  const streams = { port: service.port, apiKeys };
  print('started', memory());
  await churn(streams, WARM_UP_CHURN);
  vanish(await openStreams(streams, openCount));
  const before = await settled(service);
  print('before', before);
  const open = await openStreams(streams, openCount);
  print(`${open.length} open`, memory(), before);
  const further = await openStreams(streams, 1).then(
    () => 'opened',
    (error: Error) => error.message,
  );
  console.log(`one more: ${further}`);
  vanish(open);
  print('all gone', await settled(service), before);
  const startedMs = performance.now();
  await churn(streams, churnCount);
  const seconds = (performance.now() - startedMs) / 1000;
  // A busy service may see only now that the last clients have gone.
  print(`${churnCount} churned in ${seconds.toFixed(0)} s`, await settled(service), before);
  vanish(await openStreams(streams, openCount));
  const after = await settled(service);
  print(`${openCount} open and gone again`, after, before);
  if (after > before + GROWTH_MAX_MB) process.exitCode = 1;
}

/**
 * Megabytes that the service keeps: the minimum of several samples, because garbage collection is
 * irregular.
 */
async function settled({ port, process }: Service): Promise<number> {
  const looks: number[] = [];
  while (looks.length < LOOKS) {
    await delay(SETTLE_MS);
    for (let count = 0; count < SETTLING_REQUESTS; count++)
      await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).arrayBuffer();
    looks.push(residentMb(process.pid) ?? Number.NaN);
  }
  return Math.min(...looks);
}

async function makeKeys(data: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let number = 0; number < count; number++) {
    const made = await callOperator(socketPath(data), 'key.create', { scopes: ['mcp'] }, SILENT);
    keys.push((made as { apiKey: string }).apiKey);
  }
  return keys;
}

function print(what: string, mb: number, beforeMb = mb): void {
  const change = mb - beforeMb;
  console.log(
    `${what.padEnd(28)} ${mb.toFixed(1).padStart(7)} MB  ${change < 0 ? '' : '+'}${change.toFixed(1)}`,
  );
}
