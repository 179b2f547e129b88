import { converse } from '../mcp/converse.ts';
import {
  createApiKey,
  listApiKeys,
  listAuditEntries,
  revokeApiKey,
  rotateApiKey,
} from '../operations/api-keys.ts';
import { catalogStats } from '../operations/catalog-stats.ts';
import type { OperatorOperation } from '../operations/define-operation.ts';
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
} from '../operations/organizations.ts';
import { purgeHits } from '../operations/purge-hits.ts';
import { reportHits } from '../operations/report-hits.ts';
import { searchForOperator } from '../operations/search-for-operator.ts';
import { setShop } from '../operations/set-shop.ts';

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
    searchForOperator,
    showLandingPages,
    regenerateLandingPage,
    exportLandingPage,
    reportHits,
    listHits,
    purgeHits,
    converse,
  ].map((operation) => [operation.name, operation as unknown as OperatorOperation]),
);
