import { expect, test } from 'bun:test';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { DEPENDENCIES } from '../../scripts/binary/folders.ts';
import { billOfMaterials, componentsOf, notices } from '../../scripts/release/components.ts';

const folders = Object.keys(packageJson.dependencies).map((name) => join(DEPENDENCIES, name));
const components = componentsOf(folders, '1.4.5');

test('the bill of materials lists every package with version, licence and package URL, and the runtime', () => {
  const { components: listed } = JSON.parse(
    billOfMaterials({ name: 'vitrine', version: '1.0.0' }, components),
  ) as { components: { name: string; version: string; purl: string; licenses: object[] }[] };
  const versions = Object.fromEntries(listed.map(({ name, version }) => [name, version]));
  expect(versions).toMatchObject({ ...packageJson.dependencies, bun: '1.4.5' });
  expect(listed.filter(({ licenses, purl }) => licenses.length === 0 || !purl)).toEqual([]);
  const scoped = listed.find(({ name }) => name === '@libsql/client')!;
  expect(scoped.purl).toBe(
    `pkg:npm/%40libsql/client@${packageJson.dependencies['@libsql/client']}`,
  );
});

test('the same components give the same bytes, other ones another serial number', () => {
  const product = { name: 'vitrine', version: '1.0.0' };
  const [once, again] = [folders, folders.toReversed()].map((order) =>
    billOfMaterials(product, componentsOf(order, '1.4.5')),
  );
  expect(again).toBe(once!);
  const serial = (text: string) => (JSON.parse(text) as { serialNumber: string }).serialNumber;
  expect(serial(billOfMaterials(product, components.slice(1)))).not.toBe(serial(once!));
  expect(serial(once!)).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('the notices hold the licence text of every package that has one', () => {
  const text = notices(components);
  for (const { name, notice } of components) {
    expect(text).toContain(name);
    if (notice !== null) expect(text).toContain(notice);
  }
});
