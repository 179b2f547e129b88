import type { Organization } from '../domain/organization.ts';
import type { OwnHit } from '../domain/own-hit.ts';
import { type Translator, translatorForShops } from '../messages/translator.ts';
import type { AssistantServices } from '../operations/assistants/assistant-services.ts';
import type { SearchServices } from '../operations/search/search-services.ts';
import type { TenantServices } from '../operations/tenants/tenant-services.ts';
import type { InFlight } from './in-flight.ts';

/** The services that assistants use. */
export interface McpServices extends AssistantServices, SearchServices, TenantServices {
  /** Aborts when the service begins to shut down. */
  readonly stopping: AbortSignal;
}

/** The context of a client's messages, the same for every transport. */
export interface Conversation {
  readonly services: McpServices;
  readonly organization: Organization;
  /** Appears in every error. */
  readonly requestId: string;
  /** Own hits: what the caller did. */
  readonly ownHits: OwnHit[];
  /** A session uses a revision with a handshake, whatever version its messages claim. */
  readonly hasSession: boolean;
  /** The revision that the client says it speaks; null where it has not said. */
  readonly revision: string | null;
  /** The client's requests that are still being answered. */
  readonly inFlight: InFlight;
}

/** For the language of the organization's shops. */
export function translatorOf({
  services,
  organization,
}: Pick<Conversation, 'services' | 'organization'>): Translator {
  return translatorForShops(services.directory.shopsOf(organization.key));
}
