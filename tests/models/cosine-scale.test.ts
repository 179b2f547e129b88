import { expect, test } from 'bun:test';
import { REFERENCE_SCALE, toReferenceScale } from '../../src/models/cosine-scale.ts';

test('the cosines of the built-in model are left as they are', () => {
  const nearness = toReferenceScale(REFERENCE_SCALE);
  for (const cosine of [-1, -0.2, 0, 0.046, 0.25, 0.35, 0.8, 1])
    expect(nearness(cosine)).toBe(cosine);
});

test('a model that gives every pair of texts high cosines tells them apart as the built-in one does', () => {
  const nearness = toReferenceScale({ unrelated: 0.8, related: 0.9 });
  expect(nearness(0.8)).toBeCloseTo(REFERENCE_SCALE.unrelated);
  expect(nearness(0.9)).toBeCloseTo(REFERENCE_SCALE.related);
  expect(nearness(0.7)).toBeLessThan(0);
  expect(nearness(1.2)).toBe(1);
});
