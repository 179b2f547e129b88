import { expect, test } from 'bun:test';
import { addressOf, isPublicAddress } from '../../src/web/addresses.ts';

test.each([
  ...['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...[
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
  ],
  ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '192.88.99.1'],
  ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1'],
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1', 'x', ''],
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '100.128.0.1', '172.32.0.1', '169.253.1.1', '2606:4700::1111'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test('recognizes an IP address in any spelling, and no host name', () => {
  for (const host of [
    '[::1]',
    '127.0.0.1',
    new URL('http://0x7f.1').hostname,
    new URL('http://2130706433').hostname,
  ]) {
    expect(isPublicAddress(addressOf(host) ?? '8.8.8.8')).toBe(false);
  }
  expect(addressOf('shop.example')).toBeNull();
});
