import type { Organization } from '../domain/organization.ts';
import type { OwnHit } from '../domain/own-hit.ts';
import type { AssistantServices } from '../operations/assistants/assistant-services.ts';
import type { SearchServices } from '../operations/search/search-services.ts';
import type { TenantServices } from '../operations/tenants/tenant-services.ts';
import type { InFlight } from './in-flight.ts';

/** What assistants can reach. */
export interface McpServices extends AssistantServices, SearchServices, TenantServices {
  /** Aborts when the service begins to shut down. */
  readonly stopping: AbortSignal;
}

/** Who is talking, whatever the transport. */
export interface Conversation {
  readonly services: McpServices;
  readonly organization: Organization;
  /** To be quoted in every error. */
  readonly requestId: string;
  /** What the caller did, for the record of traffic. */
  readonly ownHits: OwnHit[];
  /** A session speaks a revision with a handshake, whatever its messages say of themselves. */
  readonly hasSession: boolean;
  /** The revision that the client says it speaks; null where it has not said. */
  readonly revision: string | null;
  /** What the same client has asked and not been answered yet. */
  readonly inFlight: InFlight;
}
