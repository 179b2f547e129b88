import { expect, test } from 'bun:test';
import { CATALOG } from './support/catalog.ts';
import { startService } from './support/start-service.ts';

/** Moves time, and lets every task that is due run. */
async function pass(platform: { advance(ms: number): void }, seconds: number): Promise<void> {
  for (let tenths = 0; tenths < 10 * seconds; tenths++) {
    platform.advance(100);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

test('an idle service hardly reads its file: its tasks look again once something is written', async () => {
  const { services, platform, operator, close } = await startService();
  await operator.importRows(CATALOG);
  services.startWorkers();
  await pass(platform, 30);
  const { reads } = services.db.activity;
  await pass(platform, 60);
  // Six looks for expired hits. When every task looked every time there were over a thousand.
  expect(services.db.activity.reads - reads).toBeLessThan(40);
  await close();
});
