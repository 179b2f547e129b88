import { Database } from 'bun:sqlite';
import { afterAll, afterEach, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKeyView } from '../../src/operations/tenants/api-keys.ts';
import { initializeFolder, vitrine, vitrineJson } from '../support/command-line.ts';
import { figure } from '../support/figure.ts';
import { PROGRAM_COMMAND, type Serving, serve } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const temporary = temporaryFolder();
const disk = join(temporary.path, 'disk');
const folder = join(disk, 'data');
const ballast = join(disk, 'ballast');
mkdirSync(disk);

/** A disk of 3 MB; false where this user may not mount one. */
function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'none', disk], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('skipped: a full disk (this user may not mount a small one)\n');
    return false;
  }
}

const isMounted = mount();
const onDisk = test.skipIf(!isMounted);

afterEach(() => {
  for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true });
});

afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', disk]);
  temporary.remove();
});

/** How soon a service writes again once there is room, on a machine with nothing else to do. */
const RECOVERED_MS = 1000;

/** What the other load of a machine adds comes and goes: one in so many times is soon enough. */
const TRIES = 5;

/** Acknowledged while there is room: each takes some pages of the log. */
const HITS = 60;

function fillDisk(): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  } catch (error) {
    // The service wrote meanwhile: the disk is full all the same.
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
}

interface Shop {
  readonly organization: { readonly id: string };
  readonly apiKey: string;
}

async function initialize(): Promise<Shop> {
  return initializeFolder<Shop>(folder, '--org', 'Acme');
}

function serveThere(): Promise<Serving> {
  return serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off']);
}

/** What is asked of the service, as the owner of its key. */
function callsOf({ url }: Serving, { organization, apiKey }: Shop) {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const hit = {
    organization: organization.id,
    eventDate: '2026-01-01T00:00:00Z',
    classification: 'search',
    userAgent: 'x'.repeat(500),
  };
  return {
    hit: () => fetch(`${url}/rest/hits/`, { method: 'POST', headers, body: JSON.stringify(hit) }),
    search: () => fetch(`${url}/rest/search/v2/?q=lamp`, { headers }),
    page: () => fetch(`${url}/rest/org/ai/acme/`, { headers }),
    ready: () => fetch(`${url}/readyz`),
    health: () => fetch(`${url}/healthz`),
  };
}

/** Changes what nobody serves. It leaves no log behind, and no index of one. */
function change(statement: string): void {
  const database = new Database(join(folder, 'vitrine.db'));
  database.run(statement);
  database.close();
}

onDisk(
  'a full disk refuses writes with 503, keeps answering reads, says so at /readyz, recovers by itself within 1 s and loses nothing',
  async () => {
    const shop = await initialize();
    const serving = await serveThere();
    const { hit, search, ready, health } = callsOf(serving, shop);
    const acknowledged: string[] = [];
    const post = async () => {
      const response = await hit();
      const { id } = (await response.json()) as { id?: string };
      if (response.status === 201) acknowledged.push(id!);
      return response;
    };
    const fillUp = async () => {
      fillDisk();
      let refused = await post();
      while (refused.status === 201 && acknowledged.length < 20_000) refused = await post();
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    };
    const recoverMs = async () => {
      rmSync(ballast);
      const freedMs = performance.now();
      while ((await post()).status !== 201) await Bun.sleep(20);
      while ((await ready()).status !== 200) await Bun.sleep(20);
      return performance.now() - freedMs;
    };
    try {
      while (acknowledged.length < HITS) expect((await post()).status).toBe(201);
      expect((await ready()).status).toBe(200);
      await fillUp();
      expect((await search()).status).toBe(200);
      const notReady = await ready();
      expect(notReady.status).toBe(503);
      expect(await notReady.json()).toMatchObject({ detail: 'The disk is full.' });
      expect((await health()).status).toBe(200);
      let recoveredMs = await recoverMs();
      for (let tries = 1; tries < TRIES && recoveredMs >= RECOVERED_MS; tries++) {
        await fillUp();
        recoveredMs = await recoverMs();
      }
      figure(`ready ${recoveredMs.toFixed(0)} ms after there is room`);
      expect(recoveredMs).toBeLessThan(RECOVERED_MS);
    } finally {
      expect(await serving.stop()).toBe(0);
    }
    const database = new Database(join(folder, 'vitrine.db'));
    const rows = database.query(`SELECT body ->> 'id' AS id FROM hits`).all() as { id: string }[];
    database.close();
    const kept = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    figure(`${acknowledged.length} hits acknowledged, 0 lost`);
    expect(await vitrineJson<ApiKeyView[]>('key', 'list', '--data', folder)).toHaveLength(1);
    expect(
      (await vitrine(['doctor', '--embedder', 'off', '--data', folder, '--json'])).stdout,
    ).toContain('every page is intact');
  },
  60_000,
);

onDisk.each(['a stop', 'kill -9 in the middle of a rebuild'])(
  'on a full disk it starts all the same after %s, and serves what it has',
  async (end) => {
    const shop = await initialize();
    const first = await serveThere();
    expect((await callsOf(first, shop).page()).status).toBe(200);
    if (end === 'a stop') await first.stop();
    else {
      const closed = once(first.process, 'close');
      first.process.kill('SIGKILL');
      await closed;
      change('UPDATE landing_pages SET leased_until = 9e12');
    }
    fillDisk();
    const second = await serveThere();
    const { hit, search, page, ready } = callsOf(second, shop);
    try {
      expect([(await search()).status, (await page()).status]).toEqual([200, 200]);
      // What was freed since may hold a few.
      let refused = await hit();
      while (refused.status === 201) refused = await hit();
      expect([refused.status, (await ready()).status]).toEqual([503, 503]);
      rmSync(ballast);
      while ((await hit()).status !== 201) await Bun.sleep(20);
    } finally {
      expect(await second.stop()).toBe(0);
    }
  },
  60_000,
);

onDisk(
  'SIGTERM on a full disk: what cannot be written is said in the log, and the exit code is 0',
  async () => {
    const shop = await initialize();
    const serving = await serveThere();
    const { hit, search } = callsOf(serving, shop);
    fillDisk();
    let refused = await hit();
    while (refused.status === 201) refused = await hit();
    expect(refused.status).toBe(503);
    // Leaves a use of the key and traffic to write at the end.
    expect((await search()).status).toBe(200);
    expect(await serving.stop()).toBe(0);
    expect(serving.stderr()).toContain('"event":"not_written_at_end"');
    expect(serving.stderr()).not.toMatch(/^ {4}at /m);
    rmSync(ballast);
    expect(await vitrineJson<ApiKeyView[]>('key', 'list', '--data', folder)).toHaveLength(1);
  },
  60_000,
);
