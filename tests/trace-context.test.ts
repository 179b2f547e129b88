import { describe, expect, test } from 'bun:test';
import { readTraceContext } from '../src/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

function read(traceparent: string, tracestate?: string) {
  const headers = new Headers({ traceparent });
  if (tracestate !== undefined) headers.set('tracestate', tracestate);
  return readTraceContext(headers);
}

describe('a traceparent', () => {
  test.each([
    ['of version 00', `00-${TRACE}-${PARENT}-01`, true],
    ['of a later version with more behind it', `01-${TRACE}-${PARENT}-01-what`, true],
    ['of version 00 with more behind it', `00-${TRACE}-${PARENT}-01-what`, false],
    ['with the invalid version', `ff-${TRACE}-${PARENT}-01`, false],
    ['in capitals', `00-${TRACE.toUpperCase()}-${PARENT}-01`, false],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`, false],
    ['with a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, false],
    ['that is too short', `00-${TRACE.slice(1)}-${PARENT}-01`, false],
    ['without the form of one', 'hello', false],
  ])('%s', (_, traceparent, isGood) => {
    expect(read(traceparent)).toEqual(isGood ? { traceId: TRACE, headers: { traceparent } } : null);
  });

  test('forwards tracestate up to 512 characters, and never without a traceparent', () => {
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    const longest = `a=${'x'.repeat(510)}`;
    expect(read(traceparent, longest)?.headers).toEqual({ traceparent, tracestate: longest });
    expect(read(traceparent, `${longest}x`)?.headers).toEqual({ traceparent });
    expect(readTraceContext(new Headers({ tracestate: 'a=b' }))).toBeNull();
  });
});
