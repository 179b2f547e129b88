/**
 * The operations that the page may run, as listed in `src/operator/operation-table.ts`. The
 * compiler
 * checks inputs and results against the operations themselves.
 *
 * @typedef {{
 *   'org.list': typeof import('../../operations/tenants/organizations.ts').listOrganizations,
 *   'search': typeof import('../../operations/search/search-for-operator.ts').searchForOperator,
 *   'judgement.save': typeof import('../../operations/search/judgements.ts').judge,
 *   'judgement.list': typeof import('../../operations/search/judgements.ts').listJudgements,
 *   'hits.report': typeof import('../../operations/hits/report-hits.ts').reportHits,
 *   'catalog.stats': typeof import('../../operations/imports/catalog-stats.ts').catalogStats,
 *   'catalog.imports': typeof import('../../operations/imports/list-imports.ts').listImports,
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
  const { result } = await send(operation, { ...about, ...input });
  return result;
}

export async function signOut() {
  await send('sign.out', {});
  location.reload();
}

/**
 * @param {string} address
 * @param {object} input
 */
async function send(address, input) {
  const response = await fetch(`/admin/api/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-admin': '1' },
    body: JSON.stringify(input),
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
