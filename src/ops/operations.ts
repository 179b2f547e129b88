import {
  createApiKey,
  listApiKeys,
  listAuditEntries,
  revokeApiKey,
  rotateApiKey,
} from '../operations/api-keys.ts';
import { recordBackup } from '../operations/back-up-database.ts';
import { catalogStats } from '../operations/catalog-stats.ts';
import type { OperatorOperation } from '../operations/define-operation.ts';
import { exportCatalog } from '../operations/export-catalog.ts';
import { holdCheckpoints } from '../operations/hold-checkpoints.ts';
import { importCatalog } from '../operations/import-catalog.ts';
import { listHits } from '../operations/list-hits.ts';
import {
  exportLandingPage,
  regenerateLandingPage,
  showLandingPages,
} from '../operations/operate-landing-pages.ts';
import {
  createOrganization,
  createShop,
  listOrganizations,
  listShops,
  setOrganization,
  setShop,
} from '../operations/organizations.ts';
import { purgeHits } from '../operations/purge-hits.ts';
import { reportHits } from '../operations/report-hits.ts';
import { rollbackCatalog } from '../operations/rollback-catalog.ts';
import { searchForOperator } from '../operations/search-for-operator.ts';

/** Everything the running service does for an operator, by name. */
export const OPERATIONS: ReadonlyMap<string, OperatorOperation> = new Map(
  [
    createOrganization,
    listOrganizations,
    setOrganization,
    createShop,
    listShops,
    setShop,
    createApiKey,
    listApiKeys,
    rotateApiKey,
    revokeApiKey,
    listAuditEntries,
    importCatalog,
    catalogStats,
    rollbackCatalog,
    exportCatalog,
    searchForOperator,
    showLandingPages,
    regenerateLandingPage,
    exportLandingPage,
    reportHits,
    listHits,
    purgeHits,
    holdCheckpoints,
    recordBackup,
  ].map((operation) => [operation.name, operation as unknown as OperatorOperation]),
);
