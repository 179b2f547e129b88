import type { TenantServices } from '../tenants/tenant-services.ts';
import type { ClientDocuments } from './client-documents.ts';

/** The authorization server. */
export interface SignIn {
  /** Its identifier: the public URL, with which all of its addresses begin. */
  readonly issuer: string;
  /** Signs the ids of clients, and forms. */
  readonly secret: string;
  readonly documents: ClientDocuments;
  /** Aborts when the service begins to shut down. */
  readonly stopping: AbortSignal;
}

/** The services that sign-in needs. */
export interface SignInServices extends TenantServices {
  /** Null where nobody can sign in. */
  readonly signIn: SignIn | null;
}

/** The services where people can sign in. */
export interface OpenSignInServices extends TenantServices {
  readonly signIn: SignIn;
}
