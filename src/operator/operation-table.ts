import type { TObject } from 'typebox';
import { converse } from '../mcp/converse.ts';
import { connectAssistants } from '../operations/assistants/connect-assistants.ts';
import {
  changeRules,
  importRules,
  listRules,
  undoRules,
} from '../operations/curation/change-rules.ts';
import type { Exchange, OperatorOperation } from '../operations/define-operation.ts';
import { importDraft } from '../operations/drafts/import-draft.ts';
import { openDraft } from '../operations/drafts/open-draft.ts';
import { previewDraft } from '../operations/drafts/preview-draft.ts';
import { exportReport } from '../operations/hits/export-report.ts';
import { ignoreQuestion } from '../operations/hits/ignore-question.ts';
import { listHits } from '../operations/hits/list-hits.ts';
import { purgeHits } from '../operations/hits/purge-hits.ts';
import { reportHits } from '../operations/hits/report-hits.ts';
import { catalogGaps } from '../operations/imports/catalog-gaps.ts';
import { catalogStats } from '../operations/imports/catalog-stats.ts';
import { exportCatalog } from '../operations/imports/export-catalog.ts';
import { importCatalog } from '../operations/imports/import-catalog.ts';
import { listImports } from '../operations/imports/list-imports.ts';
import { rollbackCatalog } from '../operations/imports/rollback-catalog.ts';
import {
  exportLandingPage,
  previewLandingPage,
  regenerateLandingPage,
  showLandingPages,
} from '../operations/landing/operate-landing-pages.ts';
import {
  resetLearning,
  showLearning,
  showLearningStatus,
} from '../operations/learning/operate-learning.ts';
import { showImport } from '../operations/pushes/find-import.ts';
import {
  listContexts,
  saveContext,
  showItem,
  takeOutItem,
} from '../operations/pushes/operate-items.ts';
import { judge, listJudgements } from '../operations/search/judgements.ts';
import { searchForOperator } from '../operations/search/search-for-operator.ts';
import {
  findSourceValidators,
  listSources,
  removeSource,
  saveSource,
  scheduleSource,
} from '../operations/sources/catalog-sources.ts';
import {
  createApiKey,
  listApiKeys,
  listAuditEntries,
  revokeApiKey,
  rotateApiKey,
} from '../operations/tenants/api-keys.ts';
import { createAdminLink } from '../operations/tenants/create-admin-link.ts';
import {
  createOrganization,
  createShop,
  listOrganizations,
  listShops,
  setOrganization,
} from '../operations/tenants/organizations.ts';
import { setShop } from '../operations/tenants/set-shop.ts';
import { recordBackup } from '../operations/upkeep/back-up-database.ts';
import { deleteOrganization } from '../operations/upkeep/delete-organization.ts';
import { findAddress } from '../operations/upkeep/find-address.ts';
import { holdCheckpoints } from '../operations/upkeep/hold-checkpoints.ts';
import type { UpkeepServices } from '../operations/upkeep/upkeep-services.ts';

/** Operations that the admin page may run: none that reads a file of this machine. */
const ADMIN_LIST = [
  listOrganizations,
  searchForOperator,
  judge,
  listJudgements,
  reportHits,
  exportReport,
  ignoreQuestion,
  catalogStats,
  listImports,
  showImport,
  catalogGaps,
  openDraft,
  previewDraft,
  importDraft,
  rollbackCatalog,
  listSources,
  scheduleSource,
  removeSource,
  listContexts,
  saveContext,
  showItem,
  takeOutItem,
  listRules,
  changeRules,
  undoRules,
  previewLandingPage,
  regenerateLandingPage,
  createApiKey,
  listApiKeys,
  rotateApiKey,
  revokeApiKey,
  connectAssistants,
] as const;

/** Operations by name. */
export const ADMIN_OPERATIONS = ADMIN_LIST.map(erased);

/** All operations that the running service offers to operators, by name. */
export const OPERATIONS: ReadonlyMap<string, AnyOperation> = new Map(
  [
    ...ADMIN_LIST,
    createOrganization,
    setOrganization,
    deleteOrganization,
    createShop,
    listShops,
    setShop,
    importRules,
    listAuditEntries,
    importCatalog,
    exportCatalog,
    findSourceValidators,
    saveSource,
    showLandingPages,
    exportLandingPage,
    listHits,
    purgeHits,
    showLearningStatus,
    showLearning,
    resetLearning,
    holdCheckpoints,
    findAddress,
    recordBackup,
    createAdminLink,
    converse,
  ].map((operation) => [operation.name, erased(operation)]),
);

/** An operation with any input and output, run with all services. */
export type AnyOperation = OperatorOperation<TObject, unknown, UpkeepServices>;

/** Erases the input type of an operation. The schema check before each run makes this safe. */
function erased(
  operation: Pick<AnyOperation, 'name' | 'input'> & {
    run(services: UpkeepServices, input: never, exchange: Exchange): Promise<unknown>;
  },
): AnyOperation {
  return operation as AnyOperation;
}
