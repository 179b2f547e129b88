import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { VISIBLE } from '../../../src/storage/catalog/offerings.ts';
import { jsonLines } from '../../support/catalog.ts';
import { initializeFolder } from '../../support/command-line.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { figure } from '../../support/figure.ts';
import { PROGRAM_COMMAND, run, serve, start } from '../../support/processes.ts';
import { startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Each about as long as an import takes. `VITRINE_TEST_KILLS=300` for a long run. */
const KILLS = Number(process.env['VITRINE_TEST_KILLS'] ?? 3);

/** More blocks than are prepared without a worker thread. */
const ROWS = 2000;

const temporary = temporaryFolder();
afterAll(temporary.remove);
const folder = join(temporary.path, 'data');

/** Shared by all checks. Otherwise the second one would generate the same keys as the first. */
const platform = fakePlatform();

/** A catalogue in which every row names its version. */
function writeVersion(version: number): string {
  const path = join(temporary.path, `version-${version}.jsonl`);
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    externalId: `${index}`,
    name: `Lamp ${index}`,
    description: 'Brass, with a shade of linen. '.repeat(10),
    sku: `edition${version}`,
    price: `${version}.00`,
  }));
  writeFileSync(path, jsonLines(rows));
  return path;
}

/** The version of all visible rows. Throws if versions are mixed or rows are missing. */
async function visibleVersion(): Promise<number> {
  const service = await startService({ folder, platform, embedder: null });
  try {
    const { db } = service.services;
    const [check] = await db.all<{ integrity_check: string }>({
      sql: 'PRAGMA integrity_check',
      args: [],
    });
    expect(check!.integrity_check).toBe('ok');
    const [unidentified] = await db.all<{ count: number }>({
      sql: `SELECT count(*) AS count FROM items i JOIN shops s ON s.key = i.shop_key
            WHERE ${VISIBLE} AND NOT EXISTS (SELECT 1 FROM item_ids n
              WHERE n.shop_key = s.key AND n.id = i.id AND n.item_key = i.key)`,
      args: [],
    });
    expect(unidentified!.count).toBe(0);
    const response = await service.fetch('/rest/search/v3/?q=lamp&limit=100');
    const { results } = (await response.json()) as { results: { price: string }[] };
    expect(results).toHaveLength(100);
    const versions = new Set(results.map(({ price }) => Number(price)));
    expect(versions.size).toBe(1);
    expect(await service.perform('catalog.stats', {})).toMatchObject({ offerings: ROWS });
    const [version] = versions;
    // Words are as whole as rows: every row of this version is found by its code, none of another.
    const byCode = await service.fetch(`/rest/search/v3/?q=edition${version}&limit=1`);
    expect(((await byCode.json()) as { total: number }).total).toBeGreaterThan(99);
    return version!;
  } finally {
    await service.services.close();
  }
}

test(
  'an import killed at any moment leaves the old catalogue or the new; the next one just works',
  async () => {
    await initializeFolder(folder, '--org', 'Acme');
    const startedMs = performance.now();
    const first = await run(PROGRAM_COMMAND, [
      'catalog',
      'import',
      writeVersion(1),
      '--data',
      folder,
    ]);
    let wholeMs = performance.now() - startedMs;
    expect(first.exitCode).toBe(0);
    let present = 1;
    const outcomes = { old: 0, new: 0 };
    for (let version = 2; version < 2 + KILLS || outcomes.old === 0; version++) {
      // By turns the command on its own, and the service that it asks.
      const serving =
        version % 3 === 0
          ? await serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off'])
          : null;
      const args = ['catalog', 'import', writeVersion(version), '--data', folder];
      const started = start(PROGRAM_COMMAND, version % 4 === 2 ? args : [...args, '--full']);
      const victim = serving?.process ?? started.process;
      const closed = Promise.all([once(started.process, 'close'), once(victim, 'close')]);
      await Promise.race([
        delay(wholeMs * (0.3 + 0.8 * Math.random())),
        once(started.process, 'close'),
      ]);
      victim.kill('SIGKILL');
      await closed;
      const visible = await visibleVersion();
      expect([present, version]).toContain(visible);
      // The first import may have been slower than those that follow.
      if (visible === version) wholeMs *= 0.8;
      outcomes[visible === version ? 'new' : 'old'] += 1;
      present = visible;
    }
    const last = await run(PROGRAM_COMMAND, [
      'catalog',
      'import',
      writeVersion(99),
      '--data',
      folder,
    ]);
    expect([last.exitCode, last.stdout]).toEqual([0, expect.stringContaining(`${ROWS} changed`)]);
    expect(await visibleVersion()).toBe(99);
    figure(`${outcomes.new} killed imports had finished, ${outcomes.old} had not`);
  },
  60_000 + 10_000 * KILLS,
);
