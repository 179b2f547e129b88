import type { ToolSet } from '../../domain/organization.ts';
import {
  type Assistant,
  type Host,
  type LocalServer,
  NO_KEY,
  type SetupStep,
  type WayIn,
} from './assistant.ts';
import { HOSTS } from './assistant-hosts.ts';

export interface SetupOptions {
  /** URL of the MCP endpoint for callers with a key and for people who sign in. */
  readonly url: string;
  /** URL of the MCP endpoint without a key; null if it requires one. */
  readonly publicUrl: string | null;
  /** Whether people can sign an assistant in at `url`. */
  readonly canSignIn: boolean;
  readonly apiKey: string | null;
  /** Null where there are no data to serve. */
  readonly local: LocalServer | null;
  /** The organization's slug if there are several. */
  readonly organization: string | null;
  /** The sets of tools that are on. */
  readonly toolSets: readonly ToolSet[];
}

/** How to connect one assistant to this service. */
export interface AssistantSetup {
  /** As its maker writes it. */
  readonly name: string;
  /** Alternatives, the simplest first; none if the assistant cannot get in. */
  readonly steps: readonly SetupStep[];
  readonly remarks: readonly string[];
  /** Why the assistant cannot get in; null if it can. */
  readonly obstacle: Obstacle | null;
}

export interface Obstacle {
  readonly reason: string;
  /** The command that opens a way. Words in capitals are for the operator to replace. */
  readonly command: string;
}

const KEY_REMARK = `Put a key in place of ${NO_KEY}: vitrine key create --scopes mcp`;
const SIGN_IN_REMARK =
  'A page of this service then asks who you are: paste an API key, or the link that “vitrine admin” prints.';
const LOCAL_REMARK =
  'This address works only on the machine of the service. For other machines, set public_url.';

export function assistantSetup(assistant: Assistant, options: SetupOptions): AssistantSetup {
  const host = HOSTS[assistant];
  const way = wayInto(assistant, host, options);
  const { local, organization } = options;
  const localSteps =
    local === null || host.localStep === undefined ? [] : [host.localStep(local, organization)];
  const steps = [...localSteps, ...('kind' in way ? host.stepsFor(way) : [])];
  const remarks = remarksOn(steps, host, { way, options });
  const obstacle = steps.length > 0 || 'kind' in way ? null : way;
  return { name: host.name, steps, remarks, obstacle };
}

/** The way in that works for the host: with the key that was given, else without one if possible. */
function wayInto(assistant: Assistant, host: Host, options: SetupOptions): WayIn | Obstacle {
  const { url, publicUrl, canSignIn, apiKey, local } = options;
  const { name, isHosted, takesKey } = host;
  if (isHosted && !url.startsWith('https://'))
    return {
      reason: `${name} calls from its maker’s servers, so it needs an https address on the internet, and public_url names none.`,
      command: commandForAddress(assistant, local),
    };
  if (takesKey && apiKey !== null) return { kind: 'key', url, apiKey };
  if (publicUrl !== null) return { kind: 'public', url: publicUrl };
  if (canSignIn) return { kind: 'sign-in', url };
  if (takesKey) return { kind: 'key', url, apiKey };
  return {
    reason: `${name} sends no API key, and this organization lets nobody in without one.`,
    command: `${changeOf(options)} --public-assistants on`,
  };
}

/** The beginning of a command that changes the organization. */
function changeOf({ organization }: SetupOptions): string {
  return organization === null ? 'vitrine org set' : `vitrine org set --org ${organization}`;
}

/** Kept in the settings, so that the service and this command agree on it. */
function commandForAddress(assistant: Assistant, local: LocalServer | null): string {
  return local === null
    ? `vitrine mcp config ${assistant} --public-url https://YOUR-ADDRESS`
    : commandForPublicUrl(local.dataFolder);
}

/** The command that keeps a public address in the settings of a data folder. */
export function commandForPublicUrl(dataFolder: string): string {
  const file = `${dataFolder}/vitrine.toml`;
  const word = /^[\w./~-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
  return `echo 'public_url = "https://YOUR-ADDRESS"' >> ${word}`;
}

function remarksOn(
  steps: readonly SetupStep[],
  { name, prefersSignIn, signIn, uses }: Host,
  { way, options }: { way: WayIn | Obstacle; options: SetupOptions },
): string[] {
  if (!('kind' in way)) return [];
  const isAsked = steps.some(({ paste }) => paste.includes(NO_KEY));
  const mayIgnore = way.kind === 'key' && prefersSignIn === true && options.canSignIn;
  const isLocal = steps.some(({ paste }) => paste.includes('http://'));
  return [
    ...(isAsked ? [KEY_REMARK] : []),
    ...(way.kind === 'sign-in' ? [...(signIn === undefined ? [] : [signIn]), SIGN_IN_REMARK] : []),
    ...(mayIgnore
      ? [
          `People can also sign in here. If ${name} asks for that instead of sending the key, do it.`,
        ]
      : []),
    ...(isLocal ? [LOCAL_REMARK] : []),
    ...(uses === undefined || options.toolSets.includes(uses.toolSet)
      ? []
      : [
          `For ${uses.features}, ${name} needs further tools: ${changeOf(options)} --tools ${[...options.toolSets, uses.toolSet].join(',')}`,
        ]),
  ];
}

/** The address without a key of an organization that allows public assistants. */
export function publicEndpoint(base: string, { id }: { readonly id: string }): string {
  return `${base}/mcp/org/${id}/`;
}
