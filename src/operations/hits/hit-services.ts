import type { RateLimiter } from '../../rate-limit.ts';
import type { BaseServices } from '../base-services.ts';
import type { HitRecorder } from './hit-recorder.ts';
import type { OwnTraffic } from './own-traffic.ts';

/** What recording, counting and reporting of hits need. */
export interface HitServices extends BaseServices {
  readonly rateLimiter: RateLimiter;
  /** Writes the hits whose senders wait for the disk. */
  readonly hits: HitRecorder;
  /** Idempotency-Keys of requests that are being answered, each with its organization. */
  readonly hitRequestsInUse: Set<string>;
  /** The service's own hits, until they are recorded. */
  readonly ownTraffic: OwnTraffic;
  readonly hitRetention: HitRetention;
}

/** How long hits are kept. */
export interface HitRetention {
  readonly days: number;
  readonly rollUpMonths: number;
  /** After that, only the network of an address is kept. */
  readonly fullAddressHours: number;
}
