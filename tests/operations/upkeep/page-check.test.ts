import { expect, test } from 'bun:test';
import { Mutex } from '../../../src/operations/instances/mutex.ts';
import { PageCheck } from '../../../src/operations/upkeep/page-check.ts';
import { openFresh } from '../../storage/open.ts';
import { fakePlatform } from '../../support/fake-platform.ts';

async function pageCheckOf(pages: 'vouched' | 'unknown') {
  const checked = Promise.withResolvers<{ exitCode: number; stdout: string; stderr: string }>();
  const db = await openFresh();
  const check = new PageCheck({
    db: { ...db, pages },
    platform: { ...fakePlatform(), runSelf: () => checked.promise },
    ...{ file: 'vitrine.db', copyMutex: new Mutex(), stopping: new AbortController().signal },
  });
  const ended = check.run();
  const end = async (exitCode: number) => {
    checked.resolve({ exitCode, stdout: '', stderr: '' });
    await ended;
    await db.close();
  };
  return { check, end };
}

test('requests wait for the check of a file that nobody vouches for', async () => {
  const { check, end } = await pageCheckOf('unknown');
  expect(check.isDone).toBe(false);
  await end(0);
  expect(check.isDone).toBe(true);
});

test('a file that was vouched for serves at once, is checked all the same, and damage ends it', async () => {
  const { check, end } = await pageCheckOf('vouched');
  expect(check.isDone).toBe(true);
  await end(74);
  expect(check.isDone).toBe(false);
  expect(check.damage).rejects.toThrow('restore a backup');
});
