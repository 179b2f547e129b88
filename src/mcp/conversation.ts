import type { Organization } from '../domain/organization.ts';
import type { Trace } from '../domain/traffic.ts';
import type { Services } from '../operations/services.ts';
import type { InFlight } from './connection.ts';

/** Who is talking, whatever the transport. */
export interface Conversation {
  readonly services: Services;
  readonly organization: Organization;
  /** To be quoted in every error. */
  readonly requestId: string;
  /** What the caller did, for the record of traffic. */
  readonly traces: Trace[];
  /** What the same client has asked and not been answered yet. */
  readonly inFlight: InFlight;
}
