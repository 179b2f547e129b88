import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { post, type RpcAnswer } from '../support/mcp.ts';
import { startService } from '../support/start-service.ts';

describe('garbage', async () => {
  const service = await startService();
  afterAll(() => service.close());

  test('no text in place of a message ever gives a 5xx or another shape of answer', async () => {
    const member = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        '2.0',
        'tools/call',
        'resources/read',
        'initialize',
        'search_offerings',
        null,
      ),
    );
    const message = fc.dictionary(
      fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__'),
      member,
    );
    const likely = fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.constantFrom(
        'tools/call',
        'resources/read',
        'resources/list',
        'initialize',
        'server/discover',
      ),
      params: fc.dictionary(
        fc.constantFrom('name', 'arguments', 'uri', 'cursor', '_meta', 'protocolVersion'),
        fc.oneof(
          member,
          fc.dictionary(fc.constantFrom('question', 'product_id', 'offering_id'), member),
        ),
      ),
    });
    const body = fc.oneof(
      fc
        .oneof(message, likely, fc.array(fc.oneof(message, likely), { maxLength: 4 }))
        .map((value) => JSON.stringify(value)),
      fc.string({ unit: anyCharacter }).filter((text) => text.isWellFormed()),
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const response = await post(service.fetch, text);
        expect([200, 202, 400, 404]).toContain(response.status);
        const answered = await response.text();
        if (response.status === 202) return expect(answered).toBe('');
        for (const answer of [JSON.parse(answered)].flat() as RpcAnswer[]) {
          expect(answer.jsonrpc).toBe('2.0');
          expect('result' in answer).not.toBe('error' in answer);
          if (answer.error) expect(answer.error.data).toBeObject();
          expect(answer.error?.code).not.toBe(-32603);
        }
      }),
      { numRuns: 2000 },
    );
  }, 60_000);
});
