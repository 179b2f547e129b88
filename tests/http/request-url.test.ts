import { expect, test } from 'bun:test';
import { urlOf } from '../../src/http/exchange/request-url.ts';

test.each([
  ...['http://a', 'http://a/', 'http://a/?', 'http://a/?#', 'http://a/#?x', 'http://a/b?c#d?e'],
  ...[
    'https://a:8443/b//c?d=/e?f',
    'http://[::1]:8787/?//',
    "http://a/../b?q='x' y",
    'http://A:80/ü?ö',
  ],
])('the parts of %s are those of its URL', (address) => {
  const request = new Request(address);
  const { host, pathname, search } = new URL(request.url);
  expect(urlOf(request)).toEqual({ host, pathname, search });
});
