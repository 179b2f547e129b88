import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import type { CatalogStats } from '../../../src/operations/imports/catalog-stats.ts';
import { jsonLines } from '../../support/catalog.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

const row = (externalId: string) => ({ externalId, name: `Lamp ${externalId}`, price: '9.90' });

/** Rows whose last ones arrive only when `release` is called. */
function stalling(first: string, last: string) {
  const { promise, resolve: release, reject: fail } = Promise.withResolvers<void>();
  // It may fail before a caller awaits it.
  promise.catch(() => undefined);
  async function* rows() {
    yield first;
    await promise;
    yield last;
  }
  return { rows: rows(), release, fail };
}

async function countOf({ perform }: LocalService, organization: string): Promise<number[]> {
  const { offerings, embedded } = await perform<CatalogStats>('catalog.stats', { organization });
  return [offerings, embedded];
}

test('a stalled import delays no other organization’s import, embedding or rollback', async () => {
  const service = await startService();
  await service.operator.createOrganization('Other');
  const { rows, release } = stalling(jsonLines([row('1')]), jsonLines([row('2')]));
  const stalled = service.importText(rows, { organization: 'acme' });

  expect(await service.importText(jsonLines([row('3')]), { organization: 'other' })).toMatchObject({
    new: 1,
  });
  await service.embedAll();
  expect(await countOf(service, 'other')).toEqual([1, 1]);
  await service.perform('catalog.rollback', { organization: 'other' });
  expect(await countOf(service, 'other')).toEqual([0, 0]);
  expect(await countOf(service, 'acme')).toEqual([0, 0]);

  release();
  expect(await stalled).toMatchObject({ new: 2 });
  await service.close();
});

test('an import that exceeds the memory limit reads its rows from a temporary file, and removes the file', async () => {
  const service = await startService();
  const files = () => readdirSync(service.folder).sort();
  const before = files();
  const description = 'Brass, three arms. '.repeat(800);
  const lamps = (from: number) =>
    jsonLines(Array.from({ length: 80 }, (_, at) => ({ ...row(String(from + at)), description })));
  const { rows, release } = stalling(lamps(0), lamps(80));
  const imported = service.importText(rows);
  release();
  expect(await imported).toMatchObject({ new: 160, rejected: 0 });
  expect(files()).toEqual(before);

  const broken = stalling(lamps(160), '');
  const failed = service.importText(broken.rows);
  broken.fail(new Error('gone'));
  await expect(failed).rejects.toThrow('gone');
  expect(files()).toEqual(before);
  expect((await countOf(service, 'acme'))[0]).toBe(160);
  await service.close();
});
