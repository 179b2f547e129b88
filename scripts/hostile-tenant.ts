/**
 * Runs steady searches for one tenant while another attacks with bodies that the service refuses,
 * and prints the search latency and the memory of the service:
 *
 *   bun scripts/hostile-tenant.ts [--binary FILE] [--seconds 3]
 *
 * Searcher, attacker and service share the machine, so the searches are also timed while the same
 * attacker loads a bare server. Each p99 is the best of several rounds. Exit code 1 if a tenant
 * without tokens raises the p99 by more than half of the higher baseline (no attack, or an attack
 * on the bare server), or if the service grows by more than the bodies of one key may take.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BODY_BYTES_MAX } from '../src/operations/tenants/body-budget.ts';
import { type LoadResult, runLoad, searchRequests } from './bench/load.ts';
import { Processes, residentMb, runToEnd } from './bench/processes.ts';
import * as vitrine from './bench/vitrine.ts';
import { ROOT } from './binary/folders.ts';

const MIB = 1024 * 1024;
const BODY_BYTES = 4 * MIB;

/** A complete body: a batch of two million messages. */
const TOO_MANY = Buffer.from(`[${'1,'.repeat(BODY_BYTES / 2 - 1)}1`.padEnd(BODY_BYTES));

/** A body without its last byte. */
const UNFINISHED = Buffer.alloc(BODY_BYTES - 1, ' ');

/** Maximum factor by which the p99 may rise. */
const RAISED_MAX = 1.5;

/** Maximum memory of a body, including its decoded and parsed forms. */
const BODY_FACTOR = 6;

const ROUNDS = 3;

const MEMORY_LOOK_MS = 100;

interface Attack {
  /**
   * `refused` has no tokens left. `unlimited` has no rate limit, so only the memory budget for
   * bodies refuses it.
   */
  readonly tenant: 'refused' | 'unlimited';
  /** Concurrent attacking connections, each of which repeats its attack. */
  readonly connections: number;
  /** How the body is framed: its header, and the prefix of its bytes. */
  readonly framing: string;
  readonly body: Buffer;
  /** Milliseconds until a connection is aborted; null to wait for the response. */
  readonly heldMs: number | null;
}

const SIZED = `Content-Length: ${BODY_BYTES}\r\n\r\n`;
const CHUNKED = `Transfer-Encoding: chunked\r\n\r\n${BODY_BYTES.toString(16)}\r\n`;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'batches too large': {
    ...{ tenant: 'refused', connections: 8, framing: SIZED, body: TOO_MANY, heldMs: null },
  },
  'uploads held': {
    ...{ tenant: 'unlimited', connections: 250, framing: SIZED, body: UNFINISHED, heldMs: 5000 },
  },
  'uploads broken off': {
    ...{ tenant: 'unlimited', connections: 20, framing: CHUNKED, body: UNFINISHED, heldMs: 500 },
  },
};

const { values } = parseArgs({
  options: {
    binary: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    /** Orders for this process as the attacker: attack, port and key. */
    attacker: { type: 'string' },
  },
});

if (values.attacker === undefined) await measure();
else await attack(values.attacker);

async function attack(orders: string): Promise<void> {
  const [name, port, apiKey] = orders.split('|') as [string, string, string];
  const { connections, framing, body, heldMs } = ATTACKS[name]!;
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
  const forEver = async (): Promise<never> => {
    for (;;) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      socket.write(`${head}${framing}`);
      socket.write(body);
      await (heldMs === null ? answered(socket) : delay(heldMs));
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, forEver));
}

function answered(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve()).once('close', () => resolve());
  });
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-hostile-'));
  const processes = new Processes();
  const bare = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  try {
    const program = vitrine.findProgram(values.binary);
    const data = join(folder, 'data');
    const prepared = await vitrine.prepareData(program, { data, copyOf: undefined });
    const service = await vitrine.startService(processes, program, prepared);
    const catalogue = join(ROOT, 'src', 'assets', 'sample', 'offerings.jsonl');
    const sample = { prepared, catalogue, question: 'jacket' };
    await vitrine.importCatalogue(program, service, sample);
    await vitrine.wakeUp(service, prepared);
    const apiKeys = {
      refused: await createTenant(program.command, data, [
        '--rate-per-minute',
        '1',
        '--burst',
        '1',
      ]),
      unlimited: await createTenant(program.command, data, ['--unlimited']),
    };
    const search = () => searchFor(service, prepared.apiKey);
    await search();
    const startMb = residentMb(service.process.pid)!;
    console.log(`${program.label}, ${startMb} MB`);
    for (const [name, { tenant }] of Object.entries(ATTACKS)) {
      const attackOn = (port: number) => startAttack(processes, [name, port, apiKeys[tenant]]);
      const alone: number[] = [];
      const elsewhere: number[] = [];
      const here: LoadResult[] = [];
      let peakMb = 0;
      for (let round = 0; round < ROUNDS; round++) {
        alone.push((await search()).p99Ms);
        elsewhere.push((await during(attackOn(bare.port!), search)).p99Ms);
        const look = () => {
          peakMb = Math.max(peakMb, residentMb(service.process.pid)!);
        };
        here.push(await during(attackOn(service.port), search, look));
      }
      report(name, {
        ...{ tenant, alone, elsewhere, here: here.map(({ p99Ms }) => p99Ms) },
        grownMb: peakMb - startMb,
      });
    }
  } finally {
    await bare.stop(true);
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A key of a new organization with the given rate limit. */
async function createTenant(
  command: readonly string[],
  data: string,
  limit: readonly string[],
): Promise<string> {
  const run = (...args: string[]) => runToEnd([...command, ...args, '--data', data]);
  const made = await run('org', 'create', `Tenant ${limit[0]}`, '--currency', 'EUR', '--json');
  const { slug } = JSON.parse(made) as { slug: string };
  await run('org', 'set', ...limit, '--org', slug);
  const created = await run('key', 'create', '--json', '--org', slug);
  return (JSON.parse(created) as { apiKey: string }).apiKey;
}

function searchFor({ port }: vitrine.Service, apiKey: string): Promise<LoadResult> {
  const questions = Array.from({ length: 200 }, (_, index) => `waterproof jacket ${index}`);
  const requests = searchRequests(questions, { path: vitrine.V3_PATH, apiKey });
  return runLoad({ port, requests, connections: 1, seconds: Number(values.seconds) });
}

interface Attacker {
  stop(): Promise<void>;
}

function startAttack(processes: Processes, orders: readonly (string | number)[]): Attacker {
  const command = [process.execPath, import.meta.path, '--attacker', orders.join('|')];
  const attacker = processes.start(command, { log: '/dev/null' });
  return { stop: () => processes.stop(attacker) };
}

/** Runs the searches during an attack and calls `look` from time to time. */
async function during(
  attacker: Attacker,
  search: () => Promise<LoadResult>,
  look: () => void = () => undefined,
): Promise<LoadResult> {
  const looking = setInterval(look, MEMORY_LOOK_MS);
  try {
    return await search();
  } finally {
    clearInterval(looking);
    await attacker.stop();
  }
}

interface Measured {
  readonly tenant: Attack['tenant'];
  /** p99 of each round, in milliseconds. */
  readonly alone: readonly number[];
  readonly elsewhere: readonly number[];
  readonly here: readonly number[];
  readonly grownMb: number;
}

function report(name: string, { tenant, grownMb, ...p99s }: Measured): void {
  const [alone, elsewhere, here] = [p99s.alone, p99s.elsewhere, p99s.here].map((rounds) =>
    Math.min(...rounds),
  ) as [number, number, number];
  const raised = here / Math.max(alone, elsewhere);
  console.log(
    `${name}: p99 ${here.toFixed(1)} ms, ${raised.toFixed(2)} times ` +
      `(alone ${alone.toFixed(1)}, a bare server attacked ${elsewhere.toFixed(1)}); +${grownMb} MB`,
  );
  if (
    (tenant === 'refused' && raised > RAISED_MAX) ||
    grownMb > (BODY_FACTOR * BODY_BYTES_MAX.key) / MIB
  )
    process.exitCode = 1;
}
