import type { Context, Offering } from '../domain/catalog.ts';
import type { Profile, ToolSet } from '../domain/organization.ts';
import type { CatalogSurvey } from './survey.ts';

/** The input of a page. Equal content gives an identical page. */
export interface PageContent {
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly profile: Profile;
    /** Whether assistants are answered without a key. */
    readonly takesPublic: boolean;
    readonly toolSets: readonly ToolSet[];
  };
  readonly shops: readonly {
    readonly name: string;
    readonly domain: string | null;
    readonly currency: string;
    readonly locale: string;
  }[];
  /** Own hosts, as for `ownLink`; the page shows no other links. */
  readonly domains: readonly string[];
  readonly survey: CatalogSurvey;
  /** The introduction that a language model wrote; null if there is none. */
  readonly introduction: string | null;
  readonly featured: readonly Offering[];
  readonly bookable: readonly Offering[];
  readonly contexts: readonly Context[];
  readonly address: ServiceAddress;
}

/** The URL at which clients reach this service. */
export interface ServiceAddress {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether an operator configured it; otherwise it is the listener's own address. */
  readonly isPublic: boolean;
}
