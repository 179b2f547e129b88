import type { Directory } from '../directory.ts';
import type { Platform } from '../platform.ts';
import type { Database } from '../storage/engine/database.ts';
import type { RetentionClock } from './retention-clock.ts';

/**
 * The services that every room of operations needs. Each room adds its own slice; `src/services.ts`
 * opens them all.
 */
export interface BaseServices {
  readonly platform: Platform;
  readonly db: Database;
  readonly directory: Directory;
  /** The clock for deletions. */
  readonly retentionClock: RetentionClock;
}
