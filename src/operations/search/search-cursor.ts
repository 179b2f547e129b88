import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import type { Basis, SearchInput } from './search-catalog.ts';
import type { SearchServices } from './search-services.ts';

type Search = Omit<SearchInput, 'offset' | 'limit' | 'basis'>;

/** Where a page begins, and what its order rests on. */
export interface PagePlace {
  readonly offset: number;
  readonly basis: Basis;
}

/** A letter each, in the order of these. */
const EMBEDDING_STATES: readonly Basis['embedding'][] = ['ready', 'timeout', 'unavailable'];
const GRADINGS: readonly Basis['graded'][] = [null, 'language_model', 'timeout', 'unavailable'];

/** Hexadecimal characters of the signature: 128 bits. */
const SIGNATURE_LENGTH = 32;

/** Where an answer's next page begins, signed, and good for this question and this state of the catalogue only. */
export function writeCursor(services: SearchServices, search: Search, place: PagePlace): string {
  const version = services.directory.indexVersion(search.organizationKey);
  const { embedding, graded } = place.basis;
  const basis = `${EMBEDDING_STATES.indexOf(embedding)}${GRADINGS.indexOf(graded)}`;
  const text = `${place.offset}.${version}.${basis}`;
  return Buffer.from(`${text}.${sign(services, search, text)}`).toString('base64url');
}

/** The place in a cursor. Throws `cursor_expired` after a change of the catalogue, `invalid_input` for any other cursor. */
export function readCursor(services: SearchServices, search: Search, cursor: string): PagePlace {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, signed, offset, version, embedding, graded, signature] =
    /^((\d{1,9})\.(\d{1,15})\.([0-2])([0-3]))\.([0-9a-f]{32})$/.exec(text) ?? [];
  if (signed === undefined || signature === undefined) return refuse();
  const expected = sign(services, search, signed);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return refuse();
  if (Number(version) !== services.directory.indexVersion(search.organizationKey)) {
    throw new AppError(
      'cursor_expired',
      'The catalogue has changed since: ask again without a cursor.',
    );
  }
  const basis = {
    embedding: EMBEDDING_STATES[Number(embedding)]!,
    graded: GRADINGS[Number(graded)]!,
  };
  return { offset: Number(offset), basis };
}

function refuse(): never {
  throw new AppError('invalid_input', 'Query parameter cursor does not belong to this search.', {
    issues: [{ path: 'cursor', message: 'does not belong to this search' }],
  });
}

function sign({ cursorSecret }: SearchServices, search: Search, text: string): string {
  const { organizationKey, shops, question, productsOnly, skipScoring } = search;
  const signed = [
    organizationKey,
    shops?.map(({ key }) => key) ?? null,
    question,
    productsOnly,
    skipScoring,
    text,
  ];
  return createHmac('sha256', cursorSecret)
    .update(JSON.stringify(signed))
    .digest('hex')
    .slice(0, SIGNATURE_LENGTH);
}
