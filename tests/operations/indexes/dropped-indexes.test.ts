import { expect, test } from 'bun:test';
import { type LoadedIndex, LoadedIndexes } from '../../../src/operations/indexes/loaded-index.ts';

const MIB = 1024 * 1024;
const COUNT = 12;

test('indexes that the budget dropped leave memory before they are many times the budget', async () => {
  const indexes = new LoadedIndexes({ budgetBytes: 100 * MIB, machineBytes: 1024 * MIB });
  const all: WeakRef<LoadedIndex>[] = [];
  for (let organizationKey = 1; organizationKey <= COUNT; organizationKey++) {
    holdNext(indexes, organizationKey, all);
    // A weak reference holds its target until the turn ends.
    await Bun.sleep(0);
  }
  expect(indexes.get(COUNT)).not.toBeNull();
  const remaining = all.filter((index) => index.deref() !== undefined);
  expect(remaining.length).toBeLessThanOrEqual(6);
});

/** A function of its own, so that no reference stays on the stack. */
function holdNext(
  indexes: LoadedIndexes,
  organizationKey: number,
  all: WeakRef<LoadedIndex>[],
): void {
  const index = { byteSize: 64 * MIB } as LoadedIndex;
  all.push(new WeakRef(index));
  indexes.hold(organizationKey, index);
}
