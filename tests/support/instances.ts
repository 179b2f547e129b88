import { followInstances } from '../../src/operations/upkeep/follow-instances.ts';
import { type FakePlatform, fakePlatform } from './fake-platform.ts';
import type { LibsqlServer } from './libsql-server.ts';
import { type LocalService, startService } from './start-service.ts';

/** One of several services on the same libSQL server. What its loops do by the clock is done when a test says so. */
export interface Instance extends LocalService {
  /** Looks once at what the other instances have changed. */
  follow(): Promise<boolean>;
}

let count = 0;

/** A platform whose ids and secrets no other instance has. */
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

/** The outcomes, while time passes for instances that wait for another. */
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
