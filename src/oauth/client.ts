import { cleanLine, isForbiddenText, truncateWords } from '../domain/text.ts';
import { type Reading, refused } from './oauth-fault.ts';
import { isAllowedRedirectUri } from './redirect-uri.ts';
import { seal, unseal } from './sealed.ts';

/** A program that asks for access on behalf of a person: an assistant, or the host of one. */
export interface Client {
  readonly id: string;
  /** As it calls itself; nobody checks this. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

type Metadata = Omit<Client, 'id'>;

const REDIRECT_URIS_MAX = 20;
const NAME_MAX = 80;

/** Longest id that we issue. It travels in the query of an address, which is limited to 8 KiB. */
const ID_MAX = 4096;

const DOCUMENT_URL_MAX = 512;

/**
 * Reads the parts of a client's metadata that we use (RFC 7591, section 2), from a registration or a
 * document. Ignores what it says about client authentication, because every client is public.
 */
export function readClientMetadata(metadata: unknown): Reading<Metadata> {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return refused('invalid_client_metadata', 'The metadata must be a JSON object.');
  const { redirect_uris, client_name, grant_types, response_types } = metadata as Record<
    string,
    unknown
  >;
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0)
    return refused('invalid_redirect_uri', 'redirect_uris must list at least one address.');
  if (redirect_uris.length > REDIRECT_URIS_MAX)
    return refused('invalid_redirect_uri', `redirect_uris lists more than ${REDIRECT_URIS_MAX}.`);
  const redirectUris = redirect_uris.filter(
    (uri): uri is string =>
      typeof uri === 'string' && !isForbiddenText(uri) && isAllowedRedirectUri(uri),
  );
  if (redirectUris.length < redirect_uris.length)
    return refused(
      'invalid_redirect_uri',
      'Each of redirect_uris must be an https address, an http address on localhost, or have the scheme of an app, without a fragment.',
    );
  if (!isListWith(grant_types, 'authorization_code'))
    return refused('invalid_client_metadata', 'grant_types must include authorization_code.');
  if (!isListWith(response_types, 'code'))
    return refused('invalid_client_metadata', 'response_types must include code.');
  const given = typeof client_name === 'string' ? cleanLine(client_name) : '';
  return { value: { name: truncateWords(given, NAME_MAX), redirectUris } };
}

/** Whether a list is omitted or contains the only value that we support. */
function isListWith(list: unknown, wanted: string): boolean {
  return list === undefined || (Array.isArray(list) && list.includes(wanted));
}

/** Names are short because the id is part of every authorization URL. */
interface SealedClient {
  readonly n: string;
  readonly r: readonly string[];
}

/**
 * Registers a client. Its id contains its metadata and our signature, so nothing is stored and
 * strangers cannot fill the disk.
 */
export function registerClient(secret: string, { name, redirectUris }: Metadata): Reading<Client> {
  const id = seal(secret, 'client', { n: name, r: redirectUris } satisfies SealedClient);
  if (id.length > ID_MAX)
    return refused(
      'invalid_client_metadata',
      'The metadata is too long: list fewer redirect_uris.',
    );
  return { value: { id, name, redirectUris } };
}

/** The client that we registered under this id; null if we did not. */
export function registeredClient(secret: string, id: string): Client | null {
  const sealed = id.length > ID_MAX ? null : unseal<SealedClient>(secret, 'client', id);
  return sealed && { id, name: sealed.n, redirectUris: sealed.r };
}

/** Whether an id is the address of the client's metadata (Client ID Metadata Documents, draft 00). */
export function isDocumentUrl(id: string): boolean {
  if (id.length > DOCUMENT_URL_MAX || !URL.canParse(id)) return false;
  const { protocol, pathname, username, password, href } = new URL(id);
  const isPlain = username === '' && password === '' && !id.includes('#') && href === id;
  return protocol === 'https:' && pathname !== '/' && isPlain;
}

/** The client that a document at its own address describes. */
export function documentedClient(url: string, document: unknown): Reading<Client> {
  const read = readClientMetadata(document);
  if ('fault' in read) return read;
  const { client_id, token_endpoint_auth_method = 'none' } = document as Record<string, unknown>;
  if (client_id !== url)
    return refused('invalid_client', 'The document is about another client_id.');
  if (token_endpoint_auth_method !== 'none')
    return refused('invalid_client', 'The document asks for client authentication.');
  return { value: { id: url, ...read.value } };
}
