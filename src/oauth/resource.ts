import { MAIN_RESOURCE } from '../domain/grant.ts';

/** The path of an MCP endpoint, with the organization that it names. */
const ENDPOINT = /^\/mcp(?:\/messages|\/org\/([^/]+))?\/?$/;

/** An MCP endpoint as a client names it. */
export interface Resource {
  /** Its address, exactly as the client spells it. */
  readonly url: string;
  /** Id or slug in its path, which need not exist; null: the caller’s own. */
  readonly organization: string | null;
}

/** The resource at a path below `issuer`; null if there is no MCP endpoint. */
export function resourceAt(issuer: string, path: string): Resource | null {
  const found = ENDPOINT.exec(path);
  return found && { url: issuer + path, organization: found[1] ?? null };
}

/** The resource that a client names in a request (RFC 8707); null if it is not ours. */
export function parseResource(issuer: string, text: string): Resource | null {
  if (!URL.canParse(text)) return null;
  const { href } = new URL(text);
  return href.startsWith(`${issuer}/`) ? resourceAt(issuer, href.slice(issuer.length)) : null;
}

/** The resource of a client that names none. */
export function mainResource(issuer: string): Resource {
  return { url: issuer + MAIN_RESOURCE, organization: null };
}
