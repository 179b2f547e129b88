import { getBuiltinModule } from 'node:process';

/** Undefined in other runtimes. */
const engine = getBuiltinModule('bun:jsc') as { fullGC(): void; edenGC(): void } | undefined;

/**
 * Frees what this thread no longer uses. By default, JavaScriptCore waits until there is as much garbage as memory in
 * use, which includes buffers.
 */
export function collectGarbage(): void {
  engine?.fullGC();
}

/** As `collectGarbage`, of what was made since the last collection: a fraction of the time. */
export function collectYoungGarbage(): void {
  engine?.edenGC();
}

/** As `collectGarbage`; also gives back what the allocator has kept. */
export function releaseMemory(): void {
  if ('Bun' in globalThis) Bun.gc(true);
}
