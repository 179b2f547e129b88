import type { BaseServices } from '../base-services.ts';
import type { Introductions } from './introductions.ts';
import type { LandingPages } from './landing-pages.ts';

/** What landing pages need. */
export interface LandingServices extends BaseServices {
  readonly landing: LandingPages;
  /** Null: no language model is configured. */
  readonly introductions: Introductions | null;
}
