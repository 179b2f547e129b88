/** What the service refused, in words for the operator. */
export class Refusal extends Error {}

/** The organization that every question is about; null: the only one there is. */
let chosen = /** @type {string | null} */ (null);

/** @param {string | null} organization */
export function chooseOrganization(organization) {
  chosen = organization;
}

/**
 * Has one of the operator's operations done, for the chosen organization. Throws a `Refusal`; goes
 * back to the sign-in page once the session has ended.
 *
 * @param {string} operation
 * @param {Record<string, unknown>} [input]
 * @returns {Promise<any>}
 */
export async function perform(operation, input = {}) {
  const isAboutOne = operation !== 'org.list' && operation !== 'sign.out' && chosen !== null;
  const response = await fetch(`/admin/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-admin': '1' },
    body: JSON.stringify(isAboutOne ? { organization: chosen, ...input } : input),
  }).catch(() => {
    throw new Refusal('The service does not answer: is it running?');
  });
  if (response.status === 401) location.reload();
  if (response.status === 204) return null;
  const { result, error } = await response.json();
  if (error !== undefined) throw new Refusal(error.message);
  return result;
}
