import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { AppError } from '../../../src/domain/errors.ts';
import {
  BODY_BYTES_MAX,
  BodyBudget,
  type BodyClaim,
} from '../../../src/operations/tenants/body-budget.ts';

/** The refusal's message, or null when the bytes were granted. */
function refusalOf(claim: BodyClaim, bytes: number): string | null {
  try {
    claim.add(bytes);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'unavailable', details: { retryAfterMs: 1000 } });
    return (error as AppError).message;
  }
}

test.each([
  ['key', { keyId: 'a', network: 'a' }, { keyId: 'a', network: 'b' }, 'This key'],
  ['address', { keyId: 'a', network: 'a' }, { keyId: 'b', network: 'a' }, 'This address'],
] as const)(
  'bodies of one %s are limited together, and others are not affected',
  (holder, first, same, who) => {
    const budget = new BodyBudget();
    const max = BODY_BYTES_MAX[holder];
    for (let held = 0; held < max; held += max / 4) {
      const sender = holder === 'key' ? first : { ...first, keyId: `${held}` };
      expect(refusalOf(budget.claim(sender), max / 4)).toBeNull();
    }
    expect(refusalOf(budget.claim(same), 1)).toStartWith(who);
    expect(refusalOf(budget.claim({ keyId: 'c', network: 'c' }), 1)).toBeNull();
    expect(budget.refusals).toBe(1);
  },
);

test('bodies of all keys and addresses are limited together', () => {
  const budget = new BodyBudget();
  for (let held = 0; held < BODY_BYTES_MAX.all; held += BODY_BYTES_MAX.key) {
    const sender = { keyId: `${held}`, network: `${held}` };
    expect(refusalOf(budget.claim(sender), BODY_BYTES_MAX.key)).toBeNull();
  }
  expect(refusalOf(budget.claim({ keyId: 'x', network: 'x' }), 1)).toStartWith('The service');
});

test('no limit is ever exceeded, and disposing of a claim frees its bytes', () => {
  const sender = fc.record({
    keyId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    network: fc.constantFrom('p', 'q', 'r'),
  });
  const step = fc.record({ sender, bytes: fc.integer({ min: 0, max: 4 << 20 }), end: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new BodyBudget();
      const open: { claim: BodyClaim; keyId: string; network: string; bytes: number }[] = [];
      const heldBy = (test: (held: (typeof open)[number]) => boolean) =>
        open.filter(test).reduce((sum, { bytes }) => sum + bytes, 0);
      for (const { sender, bytes, end } of steps) {
        const claim = budget.claim(sender);
        const wanted = { claim, ...sender, bytes };
        open.push(wanted);
        const fits =
          heldBy(() => true) <= BODY_BYTES_MAX.all &&
          heldBy(({ keyId }) => keyId === sender.keyId) <= BODY_BYTES_MAX.key &&
          heldBy(({ network }) => network === sender.network) <= BODY_BYTES_MAX.address;
        expect(refusalOf(claim, bytes) === null).toBe(fits);
        if (!fits) open.pop();
        if (end < 3) open.shift()?.claim[Symbol.dispose]();
        expect(budget.bytes).toBe(heldBy(() => true));
      }
      for (const { claim } of open) claim[Symbol.dispose]();
      expect(budget.bytes).toBe(0);
    }),
  );
});
