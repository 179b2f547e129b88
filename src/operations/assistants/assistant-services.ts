import type { LandingServices } from '../landing/landing-services.ts';

/** What assistants' sessions and the connection instructions need. */
export interface AssistantServices extends LandingServices {
  /** Assistants' sessions whose stream is open in this process. */
  readonly openSessions: Set<string>;
  /** Absolute. */
  readonly dataFolder: string;
}
