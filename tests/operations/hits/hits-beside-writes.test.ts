import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { maintainHits } from '../../../src/operations/hits/maintain-hits.ts';
import { CATALOG, jsonLines } from '../../support/catalog.ts';
import { hitOf, posted } from '../../support/hits.ts';
import { startInstance } from '../../support/instances.ts';
import { startLibsqlServer } from '../../support/libsql-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DISTANCE_MS = 20;

/** Far longer than a hit takes. Only a deadlock reaches this limit. */
const STUCK_MS = 30_000;

test('no hit waits behind a request of an import or of housekeeping that is on its way to a far server', async () => {
  const folder = temporaryFolder();
  const server = await startLibsqlServer({ path: join(folder.path, 'server.db') });
  const service = await startInstance(server);
  const hit = hitOf(service.organization.id);
  const post = (body: unknown, headers = {}) => service.fetch('/rest/hits/', posted(body, headers));
  expect((await post(Array.from({ length: 900 }, () => hit))).status).toBe(200);
  server.distanceMs = DISTANCE_MS;
  let held = 0;
  const outcomes = new Set<number | 'stuck'>();
  // Each of their requests arrives only once a hit that was posted after it has been acknowledged.
  server.onItsWay = async (text) => {
    if (text.includes('INSERT INTO hits')) return;
    const key = { 'idempotency-key': String(++held) };
    const acknowledged = post(hit, held % 2 === 0 ? key : {}).then(({ status }) => status);
    const stuck = Bun.sleep(STUCK_MS).then(() => 'stuck' as const);
    const outcome = await Promise.race([acknowledged, stuck]);
    outcomes.add(outcome);
    if (outcome === 'stuck') server.onItsWay = null;
  };
  const keepHouse = async () => {
    const maintain = maintainHits(service.services);
    while (await maintain());
  };
  const [summary] = await Promise.all([service.importText(jsonLines(CATALOG)), keepHouse()]);
  server.onItsWay = null;
  expect(summary.new).toBe(CATALOG.length);
  expect([...outcomes]).toEqual([201]);
  expect(held).toBeGreaterThan(20);
  await service.close();
  await server.close();
  folder.remove();
}, 60_000);
