import { expect, test } from 'bun:test';
import { Metrics } from '../src/metrics.ts';

function valueAfter(text: string, series: string): number {
  return Number.parseFloat(text.slice(text.indexOf(series) + series.length));
}

test('a histogram counts a duration in every bucket whose inclusive bound is not below it', async () => {
  const metrics = new Metrics();
  const histogram = metrics.histograms('d_seconds', 'Durations.')({ route: '/a' });
  for (const seconds of [0.001, 0.0011, 10, 10.1]) histogram.observe(seconds);
  const text = await metrics.expose();
  const bucket = (le: string) => valueAfter(text, `d_seconds_bucket{route="/a",le="${le}"} `);
  expect([bucket('0.001'), bucket('0.0025'), bucket('5'), bucket('10'), bucket('+Inf')]).toEqual([
    1, 2, 2, 3, 4,
  ]);
  expect(text).toContain('d_seconds_count{route="/a"} 4\n');
  expect(valueAfter(text, 'd_seconds_sum{route="/a"} ')).toBeCloseTo(20.1021, 6);
});

test('a scrape reads each metric and omits unknown values', async () => {
  const metrics = new Metrics();
  let value: number | null = 1;
  metrics.register({ name: 'a_total', help: 'A.', type: 'counter', read: () => value });
  metrics.register({
    name: 'b',
    help: 'B.',
    type: 'gauge',
    read: async () => [{ labels: { name: 'say "\\"\nno' }, value: 0.5 }],
  });
  expect(await metrics.expose()).toBe(
    '# HELP a_total A.\n# TYPE a_total counter\na_total 1\n# HELP b B.\n# TYPE b gauge\nb{name="say \\"\\\\\\"\\nno"} 0.5\n',
  );
  value = null;
  expect(await metrics.expose()).not.toContain('a_total 1');
});

test('refuses two metrics with the same name', () => {
  const metrics = new Metrics();
  metrics.histograms('a', 'A.');
  expect(() => metrics.register({ name: 'a', help: '', type: 'gauge', read: () => 0 })).toThrow(
    'two metrics are called a',
  );
});
