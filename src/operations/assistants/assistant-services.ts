import type { LandingServices } from '../landing/landing-services.ts';
import type { ImageHosts } from '../offerings/image-hosts.ts';
import type { SignIn } from '../sign-in/sign-in-services.ts';

/** What assistants' sessions and the connection instructions need. */
export interface AssistantServices extends LandingServices {
  /** Assistants' sessions whose stream is open in this process. */
  readonly openSessions: Set<string>;
  /** Absolute. */
  readonly dataFolder: string;
  /** From where the widget loads pictures. */
  readonly imageHosts: ImageHosts;
  /** Null where people cannot sign assistants in. */
  readonly signIn: SignIn | null;
}
