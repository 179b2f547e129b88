import type { BaseServices } from '../base-services.ts';
import type { Introductions } from './introductions.ts';
import type { LandingPages } from './landing-pages.ts';

/** The services that landing pages need. */
export interface LandingServices extends BaseServices {
  readonly landing: LandingPages;
  /** Null if no language model is configured. */
  readonly introductions: Introductions | null;
}
