import type { RateLimiter } from '../../rate-limit.ts';
import type { BaseServices } from '../base-services.ts';
import type { HitRecorder } from './hit-recorder.ts';
import type { HitTally } from './hit-tally.ts';
import type { OwnTraffic } from './own-traffic.ts';

/** The services that recording, counting and reporting hits need. */
export interface HitServices extends BaseServices {
  readonly rateLimiter: RateLimiter;
  /** Writes hits whose senders wait until they are on disk. */
  readonly hits: HitRecorder;
  /** Idempotency-Keys of requests that are being answered, each with its organization. */
  readonly hitRequestsInUse: Set<string>;
  /** Own hits that are not recorded yet. */
  readonly ownTraffic: OwnTraffic;
  /** Hits that are not counted yet. */
  readonly hitTally: HitTally;
  readonly hitRetention: HitRetention;
}

/** How long hits are kept. */
export interface HitRetention {
  readonly days: number;
  readonly rollUpMonths: number;
  /** Hours after which an IP address is reduced to its network. */
  readonly fullAddressHours: number;
}
