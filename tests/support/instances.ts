import { followInstances } from '../../src/operations/upkeep/follow-instances.ts';
import { type FakePlatform, fakePlatform } from './fake-platform.ts';
import type { LibsqlServer } from './libsql-server.ts';
import { type LocalService, startService } from './start-service.ts';

/** One of several services on the same libSQL server. A test triggers what its loops would do on a timer. */
export interface Instance extends LocalService {
  /** Checks once for changes by other instances. */
  follow(): Promise<boolean>;
}

let count = 0;

/** A platform whose ids and secrets differ from those of other instances. */
export function instancePlatform(): FakePlatform {
  return fakePlatform(++count);
}

export async function startInstance(
  server: LibsqlServer,
  environment: Record<string, string> = {},
  platform = instancePlatform(),
): Promise<Instance> {
  const service = await startService({
    flags: { 'database-url': server.url, 'public-url': 'https://shop.example' },
    platform,
    environment,
  });
  return { ...service, follow: followInstances(service.services) };
}

/** The outcomes, while time advances for instances that wait for another one. */
export async function settled<Result>(
  promises: readonly Promise<Result>[],
  platforms: readonly FakePlatform[],
): Promise<PromiseSettledResult<Result>[]> {
  let isOver = false;
  const over = Promise.allSettled(promises).finally(() => (isOver = true));
  while (!isOver) {
    for (const platform of platforms) platform.advance(250);
    await Bun.sleep(2);
  }
  return over;
}
