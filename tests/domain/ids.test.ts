import { expect, test } from 'bun:test';
import { catalogItemId, isUuid } from '../../src/domain/ids.ts';

const SHOP = '0190a000-0000-7000-8000-000000000001';

test.each([
  [SHOP, true],
  [SHOP.toUpperCase(), true],
  ['00000000-0000-0000-0000-000000000000', true],
  [`${SHOP} `, false],
  [`${SHOP}\n`, false],
  [SHOP.replaceAll('-', ''), false],
  [`{${SHOP}}`, false],
  ['', false],
])('isUuid(%j) is %p', (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});

test('an item has the same id on every machine: UUIDv5 of shop and external id', () => {
  // From RFC 9562, appendix A.4.
  expect(catalogItemId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
  expect(catalogItemId(SHOP, 'mug-1')).toBe(catalogItemId(SHOP, 'mug-1'));
});

test('a different shop or external id gives a different id', () => {
  const other = SHOP.replace(/1$/, '2');
  const ids = [catalogItemId(SHOP, 'a'), catalogItemId(SHOP, 'A'), catalogItemId(other, 'a')];
  expect(new Set(ids).size).toBe(3);
});
