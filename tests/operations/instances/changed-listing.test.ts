import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { IndexKeeper } from '../../../src/operations/indexes/index-keeper.ts';
import { CATALOG } from '../../support/catalog.ts';
import { answersOf, loadedKeeper, loadWanted } from '../../support/index-answers.ts';
import { startInstance } from '../../support/instances.ts';
import { startLibsqlServer } from '../../support/libsql-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('an instance that lists a catalogue while another one imports shows the items of one moment', async () => {
  const folder = temporaryFolder();
  const server = await startLibsqlServer({ path: join(folder.path, 'server.db') });
  const [importing, listing] = [await startInstance(server), await startInstance(server)];
  await importing.operator.importRows(CATALOG);
  await listing.follow();
  // Lists ten documents at once.
  const db = { ...listing.services.db, batchFactor: 10 / 2000 };
  const indexes = new IndexKeeper({ ...listing.services, db, budgetBytes: 1 << 30, archive: null });
  let pages = 0;
  server.onItsWay = async (text) => {
    const isSecondPage = text.includes('json_group_array(key)') && ++pages === 2;
    if (isSecondPage)
      await importing.operator.importRows([{ ...CATALOG[0]!, name: 'Teak beaker' }]);
  };
  indexes.find(1);
  await loadWanted({ indexes });
  server.onItsWay = null;
  expect(pages).toBeGreaterThan(2);
  const asked = { indexes, questions: ['beaker', 'mug'] };
  const fromDatabase = await loadedKeeper(importing.services, 1, null);
  expect(await answersOf(listing.services, 1, asked)).toEqual(
    await answersOf(importing.services, 1, { ...asked, indexes: fromDatabase }),
  );
  for (const instance of [importing, listing]) await instance.close();
  await server.close();
  folder.remove();
});
