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

test('five failures in a row begin a rest of 30 seconds, four and an answer do not', () => {
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

test('after a rest one caller at a time finds out', () => {
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

test('what failed late makes a rest no longer, and a call ends once', () => {
  const { breaker, fail, advance } = start();
  const before = breaker.enter()!;
  fail(5);
  advance(20_000);
  before('failed');
  before('answered');
  expect(breaker.restMs).toBe(10_000);
});
