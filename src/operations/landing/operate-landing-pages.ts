import Type from 'typebox';
import type { Organization } from '../../domain/organization.ts';
import { renderAgentsFile } from '../../landing/agents-file.ts';
import { type MarkdownNode, parseMarkdown } from '../../landing/markdown-tree.ts';
import { findLandingPageStates, type LandingPageState } from '../../storage/landing-pages.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import { gatherPageContent } from './build-landing-page.ts';
import { getLandingPage } from './landing-pages.ts';
import type { LandingServices } from './landing-services.ts';

/** A landing page and its queue state, as operators see it. Times are RFC 3339; null if not applicable. */
export interface LandingPageView {
  /** The organization's slug. */
  readonly organization: string;
  readonly state: 'fresh' | 'stale' | 'rebuilding' | 'failing' | 'never built';
  readonly bytes: number;
  readonly etag: string | null;
  readonly builtAt: string | null;
  readonly changedAt: string | null;
  readonly staleSince: string | null;
  readonly leasedUntil: string | null;
  /** Rebuilds started since the last success. */
  readonly attempts: number;
  readonly retryAt: string | null;
  readonly lastError: string | null;
  /** Whether the page contains a URL that clients can reach. */
  readonly hasPublicUrl: boolean;
}

const OrganizationReference = Type.Optional(Type.String());

export const showLandingPages = defineOperation({
  name: 'landing.show',
  input: Type.Object({
    organization: OrganizationReference,
    withPage: Type.Boolean({ description: 'Includes the page’s text; for one organization.' }),
  }),
  /** Never rebuilds an existing page, stale or not. */
  async run(services: LandingServices, { organization: reference, withPage }) {
    const { directory } = services;
    const isAll = reference === undefined && !withPage;
    const organizations = isAll
      ? directory.organizations()
      : [resolveOrganization(services, reference)];
    const markdown = withPage
      ? (await getLandingPage(services, organizations[0]!)).page.markdown
      : null;
    return { pages: await viewPages(services, organizations), markdown };
  },
});

export const previewLandingPage = defineOperation({
  name: 'landing.preview',
  input: Type.Object({ organization: OrganizationReference }),
  /** One page as served and as parsed Markdown. Builds it only if there is none. */
  async run(
    services: LandingServices,
    { organization: reference },
  ): Promise<{ view: LandingPageView; markdown: string; document: MarkdownNode }> {
    const organization = resolveOrganization(services, reference);
    const { markdown } = (await getLandingPage(services, organization)).page;
    const [view] = await viewPages(services, [organization]);
    return { view: view!, markdown, document: parseMarkdown(markdown) };
  },
});

export const regenerateLandingPage = defineOperation({
  name: 'landing.regenerate',
  input: Type.Object({ organization: OrganizationReference }),
  /** Waits for the fresh page. Throws `unavailable` if it cannot be built. */
  async run(services: LandingServices, { organization: reference }): Promise<LandingPageView> {
    const organization = resolveOrganization(services, reference);
    await getLandingPage(services, organization, { regenerate: true });
    const [view] = await viewPages(services, [organization]);
    return view!;
  },
});

export const exportLandingPage = defineOperation({
  name: 'landing.export',
  input: Type.Object({ organization: OrganizationReference }),
  /** The files for the shop's web root, up to date with the catalogue. */
  async run(services: LandingServices, { organization: reference }) {
    const { landing } = services;
    const { key } = resolveOrganization(services, reference);
    const served = await landing.find(key);
    const page = served.cache === 'stale' ? await landing.rebuild(key) : served.page;
    const content = await gatherPageContent(services, key, landing.address);
    return {
      llmsTxt: page.markdown,
      agentsMd: renderAgentsFile(content),
      hasPublicUrl: landing.address.isPublic,
    };
  },
});

/** Counts of pages for metrics: all, waiting for a rebuild, and failed. */
export async function countLandingPages({
  db,
  landing,
}: Pick<LandingServices, 'db' | 'landing'>): Promise<{
  readonly pages: number;
  readonly stale: number;
  readonly failing: number;
  readonly rebuilt: number;
  readonly failed: number;
  readonly lastRebuildMs: number;
}> {
  const states = await findLandingPageStates(db);
  const { rebuilt, failed, lastMs } = landing.counts;
  return {
    pages: states.filter(({ etag }) => etag !== null).length,
    stale: states.filter(({ staleSince }) => staleSince !== null).length,
    failing: states.filter(({ lastError }) => lastError !== null).length,
    ...{ rebuilt, failed, lastRebuildMs: lastMs },
  };
}

async function viewPages(
  services: LandingServices,
  organizations: readonly Organization[],
): Promise<LandingPageView[]> {
  const states = await findLandingPageStates(services.db);
  const byOrganization = new Map(states.map((state) => [state.organizationKey, state]));
  return organizations.map((organization) =>
    viewPage(services, organization, byOrganization.get(organization.key) ?? null),
  );
}

function viewPage(
  services: LandingServices,
  { key, slug }: Organization,
  state: LandingPageState | null,
): LandingPageView {
  const time = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString());
  return {
    organization: slug,
    state: stateOf(services, key, state),
    bytes: state?.bytes ?? 0,
    etag: state?.etag ?? null,
    builtAt: time(state?.builtAt),
    changedAt: time(state?.changedAt),
    staleSince: time(state?.staleSince),
    leasedUntil: time(state?.leasedUntil),
    attempts: state?.attempts ?? 0,
    retryAt: time(state?.retryAt),
    lastError: state?.lastError ?? null,
    hasPublicUrl: services.landing.address.isPublic,
  };
}

function stateOf(
  { landing }: LandingServices,
  key: number,
  state: LandingPageState | null,
): LandingPageView['state'] {
  if (landing.isRebuilding(key)) return 'rebuilding';
  if (state === null) return 'never built';
  if (state.lastError !== null) return 'failing';
  if (state.etag === null) return 'never built';
  const isTrue = state.staleSince === null && state.inputs === landing.inputs(key);
  return isTrue ? 'fresh' : 'stale';
}
