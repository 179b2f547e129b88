import type { Directory } from '../directory.ts';
import type { Platform } from '../platform.ts';
import type { Database } from '../storage/engine/database.ts';
import type { RetentionClock } from './retention-clock.ts';

/** What every room of operations needs. Each room adds its own slice; `src/services.ts` opens them all. */
export interface BaseServices {
  readonly platform: Platform;
  readonly db: Database;
  readonly directory: Directory;
  /** The time that whatever cannot be taken back goes by. */
  readonly retentionClock: RetentionClock;
}
