/**
 * The operations that the page may run, as listed in `src/operator/operation-table.ts`. The compiler
 * checks inputs and results against the operations themselves.
 *
 * @typedef {{
 *   'org.list': typeof import('../../operations/tenants/organizations.ts').listOrganizations,
 *   'search': typeof import('../../operations/search/search-for-operator.ts').searchForOperator,
 *   'curation.list': typeof import('../../operations/curation/change-rules.ts').listRules,
 *   'curation.change': typeof import('../../operations/curation/change-rules.ts').changeRules,
 *   'curation.undo': typeof import('../../operations/curation/change-rules.ts').undoRules,
 *   'judgement.save': typeof import('../../operations/search/judgements.ts').judge,
 *   'judgement.list': typeof import('../../operations/search/judgements.ts').listJudgements,
 *   'hits.report': typeof import('../../operations/hits/report-hits.ts').reportHits,
 *   'hits.export': typeof import('../../operations/hits/export-report.ts').exportReport,
 *   'hits.ignore': typeof import('../../operations/hits/ignore-question.ts').ignoreQuestion,
 *   'catalog.stats': typeof import('../../operations/imports/catalog-stats.ts').catalogStats,
 *   'catalog.imports': typeof import('../../operations/imports/list-imports.ts').listImports,
 *   'catalog.import.show': typeof import('../../operations/pushes/find-import.ts').showImport,
 *   'catalog.rollback': typeof import('../../operations/imports/rollback-catalog.ts').rollbackCatalog,
 *   'catalog.source.list': typeof import('../../operations/sources/catalog-sources.ts').listSources,
 *   'catalog.source.schedule': typeof import('../../operations/sources/catalog-sources.ts').scheduleSource,
 *   'catalog.source.remove': typeof import('../../operations/sources/catalog-sources.ts').removeSource,
 *   'context.list': typeof import('../../operations/pushes/operate-items.ts').listContexts,
 *   'context.save': typeof import('../../operations/pushes/operate-items.ts').saveContext,
 *   'item.show': typeof import('../../operations/pushes/operate-items.ts').showItem,
 *   'item.remove': typeof import('../../operations/pushes/operate-items.ts').takeOutItem,
 *   'draft.open': typeof import('../../operations/drafts/open-draft.ts').openDraft,
 *   'draft.preview': typeof import('../../operations/drafts/preview-draft.ts').previewDraft,
 *   'draft.import': typeof import('../../operations/drafts/import-draft.ts').importDraft,
 *   'catalog.gaps': typeof import('../../operations/imports/catalog-gaps.ts').catalogGaps,
 * 'landing.preview': typeof
 * import('../../operations/landing/operate-landing-pages.ts').previewLandingPage,
 * 'landing.regenerate': typeof
 * import('../../operations/landing/operate-landing-pages.ts').regenerateLandingPage,
 *   'key.list': typeof import('../../operations/tenants/api-keys.ts').listApiKeys,
 *   'key.create': typeof import('../../operations/tenants/api-keys.ts').createApiKey,
 *   'key.rotate': typeof import('../../operations/tenants/api-keys.ts').rotateApiKey,
 *   'key.revoke': typeof import('../../operations/tenants/api-keys.ts').revokeApiKey,
 * 'assistant.setup': typeof
 * import('../../operations/assistants/connect-assistants.ts').connectAssistants,
 * }} Operations
 */

/**
 * @template {keyof Operations} Name
 * @typedef {Awaited<ReturnType<Operations[Name]['run']>>} Result
 */

/** A refusal by the service, with a message for the operator. */
export class Refusal extends Error {}

/** The organization that every request refers to; null if there is only one. */
let chosen = /** @type {string | null} */ (null);

/** @param {string | null} organization */
export function chooseOrganization(organization) {
  chosen = organization;
}

/**
 * Runs an operation for the chosen organization. Throws a `Refusal`.
 *
 * @template {keyof Operations} Name
 * @param {Name} operation
 * @param {Omit<Parameters<Operations[Name]['run']>[1], 'organization'>} input
 * @returns {Promise<Result<Name>>}
 */
export async function perform(operation, input) {
  const about = chosen === null || operation === 'org.list' ? {} : { organization: chosen };
  const { result } = await send(operation, JSON.stringify({ ...about, ...input }));
  return result;
}

/**
 * Sends a file as a draft. Throws a `Refusal`.
 *
 * @param {File} file
 * @returns {Promise<Result<'draft.open'>>}
 */
export async function upload(file) {
  const query = placeQuery({ name: file.name });
  const { result } = await send(`draft.upload?${query}`, file);
  return result;
}

/**
 * The address of the records to correct of one import.
 *
 * @param {{ id: string, shop: string }} of
 */
export function errorsAddress({ id, shop }) {
  return `/admin/errors?${placeQuery({ id, shop })}`;
}

/** @param {Readonly<Record<string, string>>} values */
function placeQuery(values) {
  return new URLSearchParams({
    ...values,
    ...(chosen === null ? {} : { organization: chosen }),
  });
}

export async function signOut() {
  await send('sign.out', '{}');
  location.reload();
}

/**
 * @param {string} address
 * @param {string | File} body
 */
async function send(address, body) {
  const response = await fetch(`/admin/api/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-admin': '1' },
    body,
  }).catch(() => {
    throw new Refusal('The service does not answer: is it running?');
  });
  // The session has ended: the same URL now shows how to sign in.
  if (response.status === 401) location.reload();
  if (response.status === 204) return {};
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error?.message ?? answer.detail);
  return answer;
}
