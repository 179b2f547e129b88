import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../domain/errors.ts';
import type { SearchInput } from './search-catalog.ts';
import type { Services } from './services.ts';

type Search = Omit<SearchInput, 'offset' | 'limit'>;

/** Hexadecimal characters of the signature: 128 bits. */
const SIGNATURE_LENGTH = 32;

/** Where an answer's next page begins, signed, and good for this question and this state of the catalogue only. */
export function writeCursor(services: Services, search: Search, offset: number): string {
  const version = services.directory.indexVersion(search.organizationKey);
  return Buffer.from(`${offset}.${version}.${sign(services, search, offset, version)}`).toString(
    'base64url',
  );
}

/** The offset in a cursor. Throws `cursor_expired` after a change of the catalogue, `invalid_input` for any other cursor. */
export function readCursor(services: Services, search: Search, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, offset, version, signature] = /^(\d{1,9})\.(\d{1,15})\.([0-9a-f]{32})$/.exec(text) ?? [];
  if (offset === undefined || version === undefined || signature === undefined) return refuse();
  const expected = sign(services, search, Number(offset), Number(version));
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return refuse();
  if (Number(version) !== services.directory.indexVersion(search.organizationKey)) {
    throw new AppError(
      'cursor_expired',
      'The catalogue has changed since: ask again without a cursor.',
    );
  }
  return Number(offset);
}

function refuse(): never {
  throw new AppError('invalid_input', 'Query parameter cursor does not belong to this search.', {
    issues: [{ path: 'cursor', message: 'does not belong to this search' }],
  });
}

function sign({ cursorSecret }: Services, search: Search, offset: number, version: number): string {
  const { organizationKey, shops, question, productsOnly, skipScoring } = search;
  const signed = [
    organizationKey,
    shops?.map(({ key }) => key) ?? null,
    question,
    productsOnly,
    skipScoring,
    offset,
    version,
  ];
  return createHmac('sha256', cursorSecret)
    .update(JSON.stringify(signed))
    .digest('hex')
    .slice(0, SIGNATURE_LENGTH);
}
