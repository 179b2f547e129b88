import { expect, test } from 'bun:test';
import { parseWebUrl, URL_MAX } from '../../src/domain/web-url.ts';

const BASE = 'https://a.example/';

test.each([
  ['https://shop.example', 'https://shop.example/'],
  ['HTTP://Shop.Example/Ä', 'http://shop.example/%C3%84'],
  [BASE + 'a'.repeat(URL_MAX - BASE.length), BASE + 'a'.repeat(URL_MAX - BASE.length)],
])('%s is accepted', (text, expected) => {
  expect(parseWebUrl(text)).toBe(expected);
});

test.each([
  ['script', 'javascript:alert(1)'],
  ['script in capitals behind a tab', '\tJavaScript:alert(1)'],
  ['data', 'data:text/html,<script>'],
  ['file', 'file:///etc/passwd'],
  ['a name and a password', 'https://user:secret@shop.example/'],
  ['a name', 'https://user@shop.example/'],
  ['no scheme', 'shop.example'],
  ['no host', 'https://'],
  ['nothing', ''],
  ['one character too long', BASE + 'a'.repeat(URL_MAX - BASE.length + 1)],
  ['too long once it is encoded', BASE + 'é'.repeat(600)],
])('%s is refused', (_, text) => {
  expect(parseWebUrl(text)).toBeNull();
});
