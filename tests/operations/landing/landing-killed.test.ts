import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG, jsonLines } from '../../support/catalog.ts';
import { initializeFolder } from '../../support/command-line.ts';
import { PROGRAM_COMMAND, run, type Serving, serve } from '../../support/processes.ts';
import { startChatEndpoint } from '../../support/stand-in-chat-endpoint.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KILLS = 5;

const temporary = temporaryFolder();
const folder = join(temporary.path, 'data');
/** Never answers, so that a rebuild is in progress until the process is killed. */
const endpoint = await startChatEndpoint();
endpoint.reply = () => undefined;
afterAll(() => {
  endpoint.close();
  temporary.remove();
});

interface Row {
  readonly leased_until: number | null;
  readonly stale_since: number | null;
  readonly attempts: number;
}

function readRow(): Row {
  const database = new Database(join(folder, 'vitrine.db'));
  const row = database.query('SELECT * FROM landing_pages').get() as Row;
  expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  return row;
}

test('kill -9 during rebuilds: the previous page is served, and the queue continues', async () => {
  const { apiKey } = (await initializeFolder(folder, '--org', 'Acme')) as {
    apiKey: string;
  };
  const file = join(temporary.path, 'catalog.jsonl');
  writeFileSync(file, jsonLines(CATALOG));
  const imported = await run(PROGRAM_COMMAND, ['catalog', 'import', file, '--data', folder]);
  expect(imported.exitCode).toBe(0);
  const read = (serving: Serving) =>
    fetch(`${serving.url}/rest/org/ai/acme/`, { headers: { 'x-api-key': apiKey } });
  // A new address each time, so that the page is stale as soon as the service starts.
  const start = (round: number, environment: Record<string, string> = {}) =>
    serve(
      PROGRAM_COMMAND,
      ['--data', folder, '--embedder', 'off', '--public-url', `https://round-${round}.example`],
      { environment },
    );
  const first = await start(0);
  const page = await (await read(first)).text();
  expect(page).toContain('https://round-0.example/mcp');
  expect(await first.stop()).toBe(0);

  const hanging = { VITRINE_WRITER_URL: endpoint.origin, VITRINE_WRITER_MODEL: 'm' };
  for (let kill = 1; kill <= KILLS; kill++) {
    const asked = endpoint.asked.length;
    const serving = await start(kill, hanging);
    const closed = once(serving.process, 'close');
    while (endpoint.asked.length === asked) await Bun.sleep(20);
    const answer = await read(serving);
    expect([answer.status, answer.headers.get('x-cache')]).toEqual([200, 'stale']);
    expect(await answer.text()).toBe(page);
    serving.process.kill('SIGKILL');
    await closed;
    // It was killed while it held the lease.
    const { leased_until, stale_since, attempts } = readRow();
    expect([leased_until !== null, stale_since !== null, attempts]).toEqual([true, true, kill]);
    // Clears the back-off, which the next start would otherwise wait for.
    const database = new Database(join(folder, 'vitrine.db'));
    database.run('UPDATE landing_pages SET retry_at = 0');
    database.close();
  }

  const last = await start(KILLS + 1);
  let answer = await read(last);
  expect(answer.status).toBe(200);
  while (answer.headers.get('x-cache') !== 'hit') {
    await answer.text();
    await Bun.sleep(50);
    answer = await read(last);
  }
  expect(await answer.text()).toContain(`https://round-${KILLS + 1}.example/mcp`);
  expect(await last.stop()).toBe(0);
  expect(readRow()).toMatchObject({ leased_until: null, stale_since: null, attempts: 0 });
}, 60_000);
