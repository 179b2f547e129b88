import { expect, test } from 'bun:test';
import { ownLink } from '../../src/domain/own-link.ts';

const DOMAINS = ['shop.example', 'www.brand.example', 'xn--mnchen-3ya.example', 'dev.example:8080'];

test.each([
  ['the domain', 'https://shop.example/a?b=c#d'],
  ['a host below it', 'https://checkout.eu.shop.example/'],
  ['plain http', 'http://shop.example/'],
  ['capitals', 'HTTPS://SHOP.EXAMPLE/A'],
  ['the dot that ends a full host name', 'https://shop.example./a'],
  ['the port that https has anyway', 'https://shop.example:443/'],
  ['an umlaut', 'https://münchen.example/'],
  ['an umlaut, encoded', 'https://shop.xn--mnchen-3ya.example/'],
  ['full-width letters and dots, which mean the same host', 'https://ｓｈｏｐ。example/'],
  ['the bare domain of a www host', 'https://brand.example/'],
  ['the port that the domain names', 'http://dev.example:8080/'],
])('%s is own', (_, link) => {
  expect(ownLink(link, DOMAINS)).toBe(link);
});

/** Links that an attacker or a careless feed might put into the catalogue of `shop.example`. */
const FOREIGN_LINKS: readonly (readonly [string, string])[] = [
  ['another host', 'https://evil.example/'],
  ['a host that begins with the domain', 'https://shop.example.evil.example/'],
  ['a host that ends with its letters', 'https://evilshop.example/'],
  ['the domain above', 'https://example/'],
  ['a host beside the bare domain of a www host', 'https://evil.brand.example/'],
  ['user info', 'https://shop.example@evil.example/'],
  ['user info at the domain', 'https://evil@shop.example/'],
  ['a backslash', 'https://evil.example\\.shop.example/'],
  ['a backslash before an at sign', 'https://evil.example\\@shop.example/'],
  ['the domain in the path', 'https://evil.example/.shop.example'],
  ['the domain in the query', 'https://evil.example?.shop.example'],
  ['the domain in the fragment', 'https://evil.example#.shop.example'],
  ['an encoded slash', 'https://evil.example%2f.shop.example/'],
  ['a tab', 'https://evil.\texample/.shop.example'],
  ['a Cyrillic letter', 'https://ѕhop.example/'],
  ['punycode of another name', 'https://xn--hop-moc.example/'],
  ['another port', 'https://shop.example:8443/'],
  ['the port of another scheme', 'https://shop.example:80/'],
  ['no port where the domain names one', 'https://dev.example/'],
  ['an address', 'https://127.0.0.1/'],
  ['script', 'javascript:alert(1)//shop.example'],
  ['no scheme', '//shop.example/'],
  ['nothing', ''],
];

test.each(FOREIGN_LINKS)('%s is foreign', (_, link) => {
  expect(ownLink(link, DOMAINS)).toBeNull();
});

test('without a domain, every web address counts as own, and nothing else does', () => {
  expect(ownLink('https://evil.example/', [])).toBe('https://evil.example/');
  expect(ownLink('https://a@evil.example/', [])).toBeNull();
  expect(ownLink(null, [])).toBeNull();
});
