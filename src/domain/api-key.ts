import { credentialId, makeCredential, newCredentialId, type RandomBytes } from './credential.ts';

/** What a key may be used for. */
export const SCOPES = ['search', 'mcp', 'hits', 'landing', 'regenerate', 'catalog'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a key that is created without any named: only a key that asks for it may change a catalogue. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'catalog');

/** The stored record of a key, without the key itself. Times are in milliseconds since the epoch. */
export interface ApiKey {
  /** The twelve characters after `vk_`; safe to log. */
  readonly id: string;
  readonly organizationKey: number;
  readonly name: string;
  /** SHA-256 of the whole key. */
  readonly hash: Uint8Array;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** When a rotation replaced the key; it then stays valid until `expiresAt`. */
  readonly rotatedAt: number | null;
  readonly lastUsedAt: number | null;
}

export function makeApiKey(randomBytes: RandomBytes): string {
  return makeCredential('apiKey', newCredentialId(randomBytes), randomBytes);
}

/** The id in a well-formed key, else null. */
export function apiKeyId(key: string): string | null {
  return credentialId('apiKey', key);
}

/** Whether a key is valid at `nowMs`. */
export function isActive(
  { expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  nowMs: number,
): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > nowMs);
}
