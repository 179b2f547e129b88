import type { Metrics } from '../../metrics.ts';
import type { AssistantServices } from '../assistants/assistant-services.ts';
import type { CurationServices } from '../curation/curation-services.ts';
import type { DraftServices } from '../drafts/draft-services.ts';
import type { HitServices } from '../hits/hit-services.ts';
import type { Mutex } from '../instances/mutex.ts';
import type { LandingServices } from '../landing/landing-services.ts';
import type { SearchServices } from '../search/search-services.ts';
import type { TenantServices } from '../tenants/tenant-services.ts';
import type { PageCheck } from './page-check.ts';
import type { Readiness } from './readiness.ts';

/** The services that maintenance and monitoring need, which is all of them. */
export interface UpkeepServices
  extends AssistantServices,
    DraftServices,
    CurationServices,
    HitServices,
    LandingServices,
    SearchServices,
    TenantServices {
  /** All metrics. Each part registers its own. */
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  /** The page check of a database that was too large to check when it was opened. */
  readonly pageCheck: PageCheck;
  /** One copy of the database at a time. */
  readonly copyMutex: Mutex;
  /** Aborts when the service begins to shut down. */
  readonly stopping: AbortSignal;
}
