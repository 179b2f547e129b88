import type { RateLimiter } from '../../rate-limit.ts';
import type { BaseServices } from '../base-services.ts';
import type { SharedWork } from '../instances/shared-work.ts';
import type { AdminSessions } from './admin-sessions.ts';
import type { BodyBudget } from './body-budget.ts';

/** What organizations, keys and sessions need. */
export interface TenantServices extends BaseServices, Pick<SharedWork, 'creationMutex'> {
  readonly rateLimiter: RateLimiter;
  /** Request bodies in memory. */
  readonly bodyBudget: BodyBudget;
  /** Keys used since the last flush, with the time of their last use. */
  readonly keyUses: Map<string, number>;
  /** The browsers that are signed in to the admin page. */
  readonly adminSessions: AdminSessions;
}
