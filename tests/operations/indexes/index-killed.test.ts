import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { IndexArchive } from '../../../src/operations/indexes/index-archive.ts';
import { IndexFiles } from '../../../src/operations/indexes/index-files.ts';
import { jsonLines } from '../../support/catalog.ts';
import { fakePlatform } from '../../support/fake-platform.ts';
import { answersOf, loadedKeeper } from '../../support/index-answers.ts';
import { PROGRAM_COMMAND, serve } from '../../support/processes.ts';
import { startService } from '../../support/start-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Each takes a start and some seconds. `VITRINE_TEST_KILLS=100` for a long run. */
const KILLS = Number(process.env['VITRINE_TEST_KILLS'] ?? 2);

/** In this time after its start a service has built the index and written its file, or read it. */
const BUILT_MS = 2500;
const READ_MS = 500;

const ROWS = 1500;
const QUESTIONS = ['brass lamp', 'lamp 77', 'linnen shade'];

const temporary = temporaryFolder();
afterAll(temporary.remove);
const folder = join(temporary.path, 'data');
const platform = fakePlatform();

async function openData() {
  return startService({ folder, platform, embedder: null });
}

/** With the file that is there, if any, answers are those of an index made from the database. */
async function expectIntact(): Promise<void> {
  const { services } = await openData();
  const organizationKey = services.directory.organizations()[0]!.key;
  const archive = new IndexArchive({ ...services, files: new IndexFiles(join(folder, 'index')) });
  const answers: unknown[][] = [];
  for (const used of [archive, null]) {
    const indexes = await loadedKeeper(services, organizationKey, used);
    expect(indexes.find(organizationKey)!.index.size).toBe(ROWS);
    answers.push(await answersOf(services, organizationKey, { indexes, questions: QUESTIONS }));
  }
  expect(answers[0]).toEqual(answers[1]);
  await services.close();
}

const indexFiles = () => readdirSync(temporary.path, { recursive: true }).map(String);

test(
  'a service killed while it builds, writes or reads an index never serves a part of it afterwards',
  async () => {
    const made = await openData();
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      externalId: `${at}`,
      name: `Lamp ${at}`,
      description: `Brass, with a shade of linen in ${at % 50} colours.`,
    }));
    await made.importText(jsonLines(rows));
    await made.services.close();
    for (let kill = 0; kill < KILLS; kill++) {
      // By turns it builds and writes, and reads what the one before has left.
      if (kill % 2 === 0) rmSync(join(folder, 'index'), { recursive: true, force: true });
      const { process } = await serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off']);
      const closed = once(process, 'close');
      await delay((kill % 2 === 0 ? BUILT_MS : READ_MS) * Math.random());
      process.kill('SIGKILL');
      await closed;
      await expectIntact();
    }
    const last = await serve(PROGRAM_COMMAND, ['--data', folder, '--embedder', 'off']);
    const isWhole = () => indexFiles().some((name) => name.endsWith('.index'));
    const isUnfinished = () => indexFiles().some((name) => name.endsWith('.partial'));
    while (!isWhole() || isUnfinished()) await delay(50);
    expect(await last.stop()).toBe(0);
    expect(isUnfinished()).toBe(false);
    await expectIntact();
  },
  60_000 + 10_000 * KILLS,
);
