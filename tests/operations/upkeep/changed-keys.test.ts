import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DATA_CHECKS } from '../../../src/operations/upkeep/examine-data.ts';
import { type LocalService, startService } from '../../support/start-service.ts';

let service: LocalService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const lookAtKeys = () => DATA_CHECKS.find(({ name }) => name === 'keys')!.look(service.services);

test.each([
  ['another organization', 'organization_key = (SELECT max(key) FROM organizations)'],
  ['further scopes', "scopes = scopes || ' catalog'"],
])('a key whose row got %s by itself is named', async (_, assignment) => {
  const { db, directory } = service.services;
  await service.operator.createOrganization('Second');
  const { id } = await service.operator.createKey();
  expect(await lookAtKeys()).toMatchObject({ state: 'ok' });
  await db.write([{ sql: `UPDATE api_keys SET ${assignment} WHERE id = ?`, args: [id] }]);
  await directory.reload();
  expect(await lookAtKeys()).toMatchObject({
    state: 'fail',
    message: expect.stringContaining(`${id} no longer has the organization and scopes`),
  });
});
