/**
 * The service under test in the hits benchmark, in its own process:
 *
 *   bun scripts/bench/hits-server.ts FOLDER whole|no-database|no-own-traffic
 *
 * Without a database, the same route does everything else and treats hits as written in the next
 * turn of the event loop. Prints a line of JSON when it is ready for requests.
 */
import { hostRulesOf } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/config.ts';
import { createHandler } from '../../src/http/app.ts';
import { trustProxies } from '../../src/http/exchange/client-address.ts';
import { HitRecorder } from '../../src/operations/hits/hit-recorder.ts';
import { HitTally } from '../../src/operations/hits/hit-tally.ts';
import { OwnTraffic } from '../../src/operations/hits/own-traffic.ts';
import { systemPlatform } from '../../src/platform.ts';
import type { Services } from '../../src/services.ts';
import { openServices } from '../../src/services.ts';

/** What the service reports about itself. */
export interface HitsServerReport {
  readonly port: number;
}

const [dataFolder, variant] = process.argv.slice(2) as [string, string];
const config = readConfig({ dataFolder, flags: {}, environment: {}, file: {} });
const platform = systemPlatform('warn');
const opened = await openServices({ config, platform, create: false, embedder: null });
opened.startWorkers();

class NothingNoted extends OwnTraffic {
  override note(): void {}
}

const NOTHING = {
  ...{ columns: [], columnTypes: [], rows: [], rowsAffected: 0, lastInsertRowid: 0n },
  toJSON: () => null,
};

class NothingTallied extends HitTally {
  override add(): void {}
}

const services: Services =
  variant === 'no-database'
    ? {
        ...opened,
        hits: new HitRecorder({
          db: { ...opened.db, write: async (statements) => statements.map(() => NOTHING) },
          platform,
          hitTally: new NothingTallied(),
        }),
      }
    : variant === 'no-own-traffic'
      ? { ...opened, ownTraffic: new NothingNoted() }
      : opened;
const listener = await platform.listen({
  hostname: '127.0.0.1',
  port: 0,
  fetch: createHandler({
    services,
    hostRules: hostRulesOf(config),
    trustedProxies: trustProxies([]),
  }),
});
const report: HitsServerReport = { port: listener.port };
console.log(JSON.stringify(report));
