import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/storage/engine/database.ts';
import { rollUpHits } from '../../src/storage/hit-rollups.ts';
import { initializeFolder, vitrineJson } from './command-line.ts';
import { countedFromRows, countedInRollUps } from './counted-hits.ts';
import { hitOf, posted } from './hits.ts';
import { serve } from './processes.ts';

const CLIENTS = 8;

/** Maximum time between the first acknowledged hit and a kill. */
const LOADED_MS = 400;

export interface KillOutcome {
  readonly cycles: number;
  /** Number of hits that were answered 201. */
  readonly acknowledged: number;
  /** Number of those hits that are missing. */
  readonly lost: readonly string[];
  /** Outcomes of integrity_check; all `ok`. */
  readonly integrity: readonly string[];
  /** Cycles after which the roll-ups differed from the rows. */
  readonly miscounted: number;
}

/**
 * Starts the service, lets eight clients post hits one after another, kills the process at a random
 * moment and checks what is on disk. Repeats this on the same data folder.
 */
export async function killUnderLoad(
  command: readonly string[],
  { folder, cycles }: { folder: string; cycles: number },
): Promise<KillOutcome> {
  const { apiKey } = await initializeFolder<{ apiKey: string }>(folder, '--org', 'Acme');
  await vitrineJson('org', 'set', '--unlimited', '--data', folder);
  const acknowledged = new Set<string>();
  const integrity: string[] = [];
  let miscounted = 0;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const serving = await serve(command, ['--data', folder, '--embedder', 'off']);
    const killed = once(serving.process, 'close');
    const clients = Array.from({ length: CLIENTS }, () =>
      postUntilGone(`${serving.url}/rest/hits/`, apiKey, acknowledged),
    );
    // A busy machine may take longer than the delay until the first answer.
    const before = acknowledged.size;
    let isOver = false;
    const over = Promise.all(clients).then(() => {
      isOver = true;
    });
    while (acknowledged.size === before && !isOver) await delay(5);
    await delay(LOADED_MS * Math.random());
    serving.process.kill('SIGKILL');
    await Promise.all([killed, over]);
    const db = await openDatabase(join(folder, 'vitrine.db'), { create: false });
    const [check] = await db.all<{ integrity_check: string }>({
      sql: 'PRAGMA integrity_check',
      args: [],
    });
    integrity.push(check!.integrity_check);
    while ((await rollUpHits(db, 1000)) > 0);
    if (!Bun.deepEquals(await countedInRollUps(db), await countedFromRows(db))) miscounted += 1;
    await db.close();
  }
  const db = await openDatabase(join(folder, 'vitrine.db'), { create: false });
  const rows = await db.all<{ id: string }>({
    sql: `SELECT body ->> 'id' AS id FROM hits`,
    args: [],
  });
  await db.close();
  const present = new Set(rows.map(({ id }) => id));
  const lost = [...acknowledged].filter((id) => !present.has(id));
  return { cycles, acknowledged: acknowledged.size, lost, integrity, miscounted };
}

/** Posts hits one after another, and collects the ids of those that are answered 201. */
export async function postUntilGone(
  url: string,
  apiKey: string,
  acknowledged: Set<string>,
): Promise<void> {
  const request = posted(hitOf('acme', { path: '/products/mug', userAgent: 'GPTBot/1.0' }), {
    'x-api-key': apiKey,
  });
  for (;;) {
    const response = await fetch(url, request).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (response?.status !== 201 || text == null) return;
    acknowledged.add((JSON.parse(text) as { id: string }).id);
  }
}
