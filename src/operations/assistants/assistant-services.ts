import type { LandingServices } from '../landing/landing-services.ts';

/** What sessions of assistants, and connecting them, need. */
export interface AssistantServices extends LandingServices {
  /** Assistants' sessions whose stream is open in this process. */
  readonly openSessions: Set<string>;
  /** Absolute. */
  readonly dataFolder: string;
}
