import { converse } from '../mcp/converse.ts';
import {
  createApiKey,
  listApiKeys,
  listAuditEntries,
  revokeApiKey,
  rotateApiKey,
} from '../operations/api-keys.ts';
import { recordBackup } from '../operations/back-up-database.ts';
import { catalogGaps } from '../operations/catalog-gaps.ts';
import {
  findSourceValidators,
  listSources,
  removeSource,
  saveSource,
} from '../operations/catalog-sources.ts';
import { catalogStats } from '../operations/catalog-stats.ts';
import { connectAssistants } from '../operations/connect-assistants.ts';
import { createAdminLink } from '../operations/create-admin-link.ts';
import type { OperatorOperation } from '../operations/define-operation.ts';
import { exportCatalog } from '../operations/export-catalog.ts';
import { holdCheckpoints } from '../operations/hold-checkpoints.ts';
import { importCatalog } from '../operations/import-catalog.ts';
import { judge, listJudgements } from '../operations/judgements.ts';
import { listHits } from '../operations/list-hits.ts';
import { listImports } from '../operations/list-imports.ts';
import {
  exportLandingPage,
  previewLandingPage,
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
import { rollbackCatalog } from '../operations/rollback-catalog.ts';
import { searchForOperator } from '../operations/search-for-operator.ts';
import { setShop } from '../operations/set-shop.ts';

/** What the admin page may have done: nothing that reads a file, or that a slip cannot take back. */
const ADMIN_LIST = [
  listOrganizations,
  searchForOperator,
  judge,
  listJudgements,
  reportHits,
  catalogStats,
  listImports,
  catalogGaps,
  previewLandingPage,
  regenerateLandingPage,
  createApiKey,
  listApiKeys,
  rotateApiKey,
  revokeApiKey,
  connectAssistants,
] as const;

/** By name, for whoever calls them. */
export const ADMIN_OPERATIONS = ADMIN_LIST.map(erased);

/** Everything the running service does for an operator, by name. */
export const OPERATIONS: ReadonlyMap<string, OperatorOperation> = new Map(
  [
    ...ADMIN_LIST,
    createOrganization,
    setOrganization,
    createShop,
    listShops,
    setShop,
    listAuditEntries,
    importCatalog,
    rollbackCatalog,
    exportCatalog,
    findSourceValidators,
    saveSource,
    listSources,
    removeSource,
    showLandingPages,
    exportLandingPage,
    listHits,
    purgeHits,
    holdCheckpoints,
    recordBackup,
    createAdminLink,
    converse,
  ].map((operation) => [operation.name, erased(operation)]),
);

/** Its input is checked before it runs. */
function erased(operation: { readonly name: string }): OperatorOperation {
  return operation as unknown as OperatorOperation;
}
