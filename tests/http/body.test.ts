import { describe, expect, test } from 'bun:test';
import { AppError } from '../../src/domain/errors.ts';
import { parseJson, readText, requireJson } from '../../src/http/exchange/body.ts';
import { DEPTH_MAX } from '../../src/http/exchange/json-shape.ts';
import { processorMs } from '../support/processor-time.ts';

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://localhost/', { method: 'POST', body, headers });

const TEN_BYTES = { maxBytes: 10, claim: () => undefined };

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

async function codeOf(task: () => unknown): Promise<string> {
  try {
    await task();
    return 'fine';
  } catch (error) {
    return (error as AppError).code;
  }
}

describe('a body', () => {
  test.each([
    ['as long as allowed', 'x'.repeat(10), 'fine'],
    ['one byte longer', 'x'.repeat(11), 'too_large'],
    ['whose characters are few but bytes many', 'é'.repeat(6), 'too_large'],
    ['that is not UTF-8', new Uint8Array([0x22, 0xc3, 0x22]), 'invalid_input'],
    ['that is an overlong form', new Uint8Array([0xc0, 0x80]), 'invalid_input'],
  ])('%s: %p', async (_, body, code) => {
    expect(await codeOf(() => readText(post(body), TEN_BYTES))).toBe(code);
    const length = String(new Blob([body]).size);
    expect(await codeOf(() => readText(post(body, { 'content-length': length }), TEN_BYTES))).toBe(
      code,
    );
  });

  test('that streams in without a length is cut off at the limit, not read to its end', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(4));
      },
    });
    expect(await codeOf(() => readText(post(endless), TEN_BYTES))).toBe('too_large');
    expect(sent).toBeLessThan(10);
  });
});

describe('JSON text', () => {
  test.each([
    ['as deep as allowed', nested(DEPTH_MAX), 'fine'],
    ['one level deeper', nested(DEPTH_MAX + 1), 'invalid_input'],
    ['a hundred thousand levels deep', nested(100_000), 'invalid_input'],
    ['with brackets in a string', JSON.stringify({ text: '[{'.repeat(50), quoted: '"[' }), 'fine'],
    ['that ends early', '{"a":', 'invalid_input'],
    ['that is empty', '', 'invalid_input'],
    ['with an escaped NUL', '{"a":"\\u0000"}', 'invalid_input'],
    ['with half a surrogate pair in a name', '{"\\ud800":1}', 'invalid_input'],
    ['with a whole surrogate pair', '{"a":"\\ud83d\\ude00"}', 'fine'],
    ['with a string that ends in backslashes', `["\\\\\\"${'['.repeat(50)}\\\\"]`, 'fine'],
  ])('%s', async (_, text, code) => {
    expect(await codeOf(() => parseJson(text))).toBe(code);
  });

  test('is scanned once, however many quotation marks an unterminated string contains', () => {
    const text = `"${'\\"'.repeat(1_000_000)}`;
    const refused = () => expect(() => parseJson(text)).toThrow(AppError);
    expect(processorMs(refused)).toBeLessThan(2000);
  });
});

test.each([
  ['application/json', 'fine'],
  ['APPLICATION/JSON; charset=utf-8', 'fine'],
  ['application/problem+json', 'fine'],
  ['application/jsonfoo', 'unsupported_media_type'],
  ['text/plain', 'unsupported_media_type'],
  ['', 'unsupported_media_type'],
])('the media type %p: %s', async (type, code) => {
  expect(await codeOf(() => requireJson(post('{}', { 'content-type': type })))).toBe(code);
});
