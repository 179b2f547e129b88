import { expect, test } from 'bun:test';
import { holdCheckpoints } from '../../../src/operations/upkeep/hold-checkpoints.ts';
import { startService } from '../../support/start-service.ts';

const MINUTE_MS = 60_000;

/** A request that never ends. */
async function* endless(): AsyncGenerator<string> {
  await new Promise(() => undefined);
}

async function* ended(): AsyncGenerator<string> {}

test('a hold of checkpoints times out; a second one reports that it waits, and then runs', async () => {
  const { services, platform, close } = await startService();
  const events: unknown[] = [];
  const emit = (who: string) => (event: unknown) => void events.push(`${who} ${event}`);
  const isHeld = Promise.withResolvers<void>();
  const tell = (event: unknown) => {
    emit('first')(event);
    isHeld.resolve();
  };
  const first = holdCheckpoints.run(services, {}, { lines: endless(), emit: tell });
  const second = holdCheckpoints.run(services, {}, { lines: ended(), emit: emit('second') });
  await isHeld.promise;
  await Bun.sleep(0);
  platform.advance(10 * MINUTE_MS);
  const error = await first.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(await second).toEqual({ held: true });
  expect(events).toEqual(['second waiting', 'first held', 'second held']);
  await close();
});
