import { type CheckResult, ok, warn } from '../../domain/check-result.ts';
import type { Shop } from '../../domain/organization.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** Whether assistants that follow a landing page or a public address can connect. */
export function lookAtPublicAssistants({ directory, landing }: UpkeepServices): CheckResult {
  const { baseUrl, isPublic } = landing.address;
  const all = directory.organizations();
  const closed = all.find(({ publicAssistants }) => !publicAssistants.isOn);
  if (isPublic && closed !== undefined)
    return warn(
      `the landing page of ${closed.slug} sends assistants to ${baseUrl}, which turns them away without a key`,
      `run "vitrine org set --org ${closed.slug} --public-assistants on", or hand out keys`,
    );
  const open = all.find(({ publicAssistants }) => publicAssistants.isOn);
  if (!isPublic && open !== undefined)
    return warn(
      `${open.slug} answers without a key, but no address that assistants can reach is set`,
      'set public_url in vitrine.toml to an https address',
    );
  return ok(
    open === undefined ? 'off, and no public address is set' : `they are answered at ${baseUrl}`,
  );
}

/** Whether the sets of tools that are on can do what they promise. */
export function lookAtToolSets({ directory, landing }: UpkeepServices): CheckResult {
  const all = directory.organizations();
  const { baseUrl } = landing.address;
  const withoutCart = all.find(
    ({ key, toolSets }) => toolSets.includes('cart') && !directory.shopsOf(key).some(hasCart),
  );
  if (withoutCart !== undefined)
    return warn(
      `${withoutCart.slug} offers cart_checkout, but none of its shops has a link for several products`,
      'set the storefront and domain of a shop with "vitrine shop set", or turn the set off with "vitrine org set --tools"',
    );
  const unseen = all.find(
    ({ toolSets, publicAssistants }) =>
      toolSets.includes('ucp') && !(publicAssistants.isOn && baseUrl.startsWith('https://')),
  );
  if (unseen !== undefined)
    return warn(
      `${unseen.slug} offers the catalogue of UCP, whose platforms cannot find it`,
      'set public_url to an https address, and run "vitrine org set --public-assistants on"',
    );
  const on = all.filter(({ toolSets }) => toolSets.length > 0);
  return ok(
    on.length === 0
      ? 'only the five tools'
      : on.map(({ slug, toolSets }) => `${slug}: ${toolSets.join(', ')}`).join('; '),
  );
}

function hasCart({ domain, storefront, ucpEndpoint }: Shop): boolean {
  return ucpEndpoint !== null || (domain !== null && storefront !== 'other');
}
