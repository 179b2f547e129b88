import { describe, expect, test } from 'bun:test';
import { makeApiKey } from '../../src/domain/api-key.ts';
import {
  canonicalAddress,
  isPrivateHeader,
  networkOf,
  redactCredentials,
  redactUrl,
} from '../../src/domain/private-data.ts';

test.each([
  ['/a?token=x&q=tea', '/a?token=[redacted]&q=tea'],
  ['/a?access_token=x', '/a?access_token=[redacted]'],
  ['/a?apiKey=x;email=y', '/a?apiKey=[redacted];email=[redacted]'],
  ['/a?user[password]=x', '/a?user[password]=[redacted]'],
  ['/a?%74oken=x', '/a?%74oken=[redacted]'],
  ['/a#id_token=x', '/a#id_token=[redacted]'],
  ['/a?keyword=tea&keywords=tea&author=me', '/a?keyword=tea&keywords=tea&author=me'],
  ['https://me:secret@shop.example/', 'https://shop.example/'],
  ['/a?q=me@shop.example', '/a?q=me@shop.example'],
])('%s is kept as %s', (url, kept) => {
  expect(redactUrl(url)).toBe(kept);
});

test('redacting a text leaves only the id of an API key', () => {
  const key = makeApiKey((count) => new Uint8Array(count).fill(7));
  const kept = `${key.slice(0, 16)}[redacted]`;
  expect(redactCredentials(`{"a":"${key}","b":"?q=${key}&x"}`)).toBe(
    `{"a":"${kept}","b":"?q=${kept}&x"}`,
  );
  expect(redactCredentials('vk_ is how keys begin')).toBe('vk_ is how keys begin');
});

test.each([
  ...['cookie', 'Set-Cookie', 'Authorization', 'proxy-authorization', 'X-API-Key', 'x-auth-token'],
  ...['x-csrf-token', 'X-Forwarded-For', 'cf-connecting-ip', 'true-client-ip', 'x-session-id'],
])('the header %s is not kept', (name) => {
  expect(isPrivateHeader(name)).toBe(true);
});

test.each(['accept', 'user-agent', 'referer', 'accept-language', 'sec-fetch-mode', 'host'])(
  'the header %s is kept',
  (name) => {
    expect(isPrivateHeader(name)).toBe(false);
  },
);

describe('an IP address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['2001:0DB8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::1', '2001:db8::/48'],
    ['::1', '::1', '::/48'],
    ['fe80::1%eth0', 'fe80::1', 'fe80::/48'],
    ['2001:db8:1::', '2001:db8:1::', '2001:db8:1::/48'],
  ])('%s is %s, of the network %s', (text, canonical, network) => {
    expect(canonicalAddress(text)).toBe(canonical);
    expect(networkOf(canonical)).toBe(network);
    expect(networkOf(network)).toBe(network);
  });

  test.each(['', 'localhost', '1.2.3', '1.2.3.4:80', '[::1]'])('%p is not one', (text) => {
    expect(canonicalAddress(text)).toBeNull();
  });
});
