import { expect, test } from 'bun:test';
import { Breaker, type CallEnd } from '../../src/models/breaker.ts';

function start() {
  let now = 0;
  const breaker = new Breaker(() => now);
  const call = (end: CallEnd) => breaker.enter()!(end);
  const fail = (count: number) => {
    for (let index = 0; index < count; index++) call('failed');
  };
  const advance = (ms: number) => {
    now += ms;
  };
  return { breaker, call, fail, advance };
}

test('opens for 30 seconds after five failures in a row, but not after four and an answer', () => {
  const { breaker, call, fail, advance } = start();
  fail(4);
  call('answered');
  fail(4);
  call('abandoned');
  expect(breaker.restMs).toBe(0);
  fail(1);
  expect([breaker.restMs, breaker.enter()]).toEqual([30_000, null]);
  advance(29_999);
  expect([breaker.restMs, breaker.enter()]).toEqual([1, null]);
});

test('afterwards admits one probing call at a time', () => {
  const { breaker, fail, advance } = start();
  fail(5);
  advance(30_000);
  const first = breaker.enter()!;
  expect(breaker.enter()).toBeNull();
  first('abandoned');
  breaker.enter()!('failed');
  expect(breaker.restMs).toBe(30_000);
  advance(30_000);
  breaker.enter()!('answered');
  expect([breaker.enter(), breaker.enter()]).not.toContain(null);
});

test('late failures do not prolong the pause, and only the first report of a call counts', () => {
  const { breaker, fail, advance } = start();
  const before = breaker.enter()!;
  fail(5);
  advance(20_000);
  before('failed');
  before('answered');
  expect(breaker.restMs).toBe(10_000);
});
