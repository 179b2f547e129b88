import { createHash } from 'node:crypto';
import { Elysia } from 'elysia';
import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import type { ImportView } from '../../operations/imports/list-imports.ts';
import { findImport, readImportErrors } from '../../operations/pushes/find-import.ts';
import type { KeyedRequest } from '../../operations/pushes/keyed-requests.ts';
import { receiveUpload } from '../../operations/pushes/receive-upload.ts';
import { UPLOAD_BYTES_MAX } from '../../operations/pushes/upload-file.ts';
import { MESSAGE } from '../../schema/keywords.ts';
import { admission } from '../exchange/admission.ts';
import { mediaType, streamBody } from '../exchange/body.ts';
import { claimBody } from '../exchange/charge.ts';
import { REPEATABLE, readIdempotencyKey } from '../exchange/idempotency-key.ts';
import { operation, type RouteContract } from '../exchange/operation.ts';
import { paramsOf, queryOf, type ReadQuery } from '../exchange/route-schema.ts';
import { ShopParams, shopOfPath } from '../exchange/shop-params.ts';
import { type HttpServices, json, type Visit, whole } from '../exchange/visit.ts';
import { IMPORT_EXAMPLE, ImportResource } from './import-resource.ts';

/** Memory that a body on its way to the disk takes, whatever its size. */
const STREAMED_BYTES = 1024 * 1024;

const MAPPINGS_MAX = 100;

const ImportQuery = Type.Object({
  mode: Type.Enum(['upsert', 'full'], {
    default: 'upsert',
    description: '`full`: the file is the whole catalogue; what it lacks is archived.',
  }),
  dry_run: Type.Boolean({ default: false, description: 'Checks the file and changes nothing.' }),
  allow_shrink: Type.Boolean({
    default: false,
    description: 'With `mode=full`, archives even more than a quarter of the catalogue.',
  }),
  strict: Type.Boolean({
    default: false,
    description: 'Imports nothing if the file has any fault.',
  }),
  format: Type.Optional(
    Type.String({ description: 'The file’s format; by default detected from its content.' }),
  ),
  encoding: Type.Optional(
    Type.String({ description: 'The encoding of text that is not UTF-8, such as windows-1252.' }),
  ),
  map: Type.Array(
    Type.String({
      pattern: '^.*[^= ].*=[^=]*[^= ][^=]*$',
      [MESSAGE]: 'must look like Preis=price',
    }),
    {
      maxItems: MAPPINGS_MAX,
      default: [],
      description: 'Maps a column of the file to a column of the format. Repeatable.',
    },
  ),
  name: Type.String({
    default: 'upload',
    minLength: 1,
    maxLength: 200,
    description: 'The file’s name, for messages. Markdown is recognized by it.',
  }),
});

const ImportParams = Type.Object({
  ...ShopParams.properties,
  import_id: Type.String({
    description: 'Id of an import.',
    examples: ['0199e5a1-0c2d-7f10-8a64-5b7c9d0e1f23'],
  }),
});

const START: RouteContract = {
  scope: 'catalog',
  summary: 'Import a file',
  description: `Takes a catalogue in any format that \`vitrine catalog import\` takes, as the body itself, at most ${UPLOAD_BYTES_MAX / 1024 / 1024} MiB, with or without \`Content-Encoding: gzip\`. The import then runs by itself: \`Location\` names it. Searches see the old catalogue until the import has ended, then all of the new one.`,
  furtherBodies: ['application/octet-stream', 'text/csv', 'application/xml'],
  requestHeaders: REPEATABLE,
  accepted: ImportResource,
  acceptedExample: {
    ...IMPORT_EXAMPLE,
    state: 'waiting',
    format: '',
    finishedAt: null,
    counts: {},
  },
};

const SHOW: RouteContract = {
  scope: 'catalog',
  summary: 'An import',
  description: 'Its state, its counts and its first faults.',
  answer: ImportResource,
  answerExample: IMPORT_EXAMPLE,
};

const ERRORS: RouteContract = {
  scope: 'catalog',
  summary: 'The errors file of an import',
  description:
    'Every rejected record as it was sent, with columns that say what is wrong with it. Correct and import this file. Empty if nothing was rejected. The files of a shop’s last ten imports are kept.',
  answer: Type.String(),
  answerType: 'text/csv',
  answerExample:
    'id,title,price,vitrine_file,vitrine_line,vitrine_record,vitrine_external_id,vitrine_column,vitrine_code,vitrine_message\n7,Lamp,free,upload,8,7,7,price,invalid_price,price is not a price.\n',
};

/** Imports of files that programs send. */
export function importRoutes(services: HttpServices) {
  return new Elysia()
    .use(admission(services))
    .post(
      '/rest/catalog/:shop_id/imports',
      ({ visit, params, query }) => startImport(visit, params.shop_id, query),
      {
        caller: { scope: 'catalog', bucket: 'catalog' },
        parse: 'none',
        params: paramsOf(ShopParams),
        query: queryOf(ImportQuery),
        detail: operation(START),
      },
    )
    .get(
      '/rest/catalog/:shop_id/imports/:import_id',
      async ({ visit, params }) => json(visit, await requireImport(visit, params)),
      {
        caller: { scope: 'catalog', bucket: 'catalog' },
        params: paramsOf(ImportParams),
        detail: operation(SHOW),
      },
    )
    .get(
      '/rest/catalog/:shop_id/imports/:import_id/errors',
      ({ visit, params }) => showErrors(visit, params),
      {
        caller: { scope: 'catalog', bucket: 'catalog' },
        params: paramsOf(ImportParams),
        detail: operation(ERRORS),
      },
    );
}

async function startImport(
  visit: Visit,
  shopId: string,
  { values: query }: ReadQuery<typeof ImportQuery>,
): Promise<string> {
  const { services, request, headers } = visit;
  const shop = shopOfPath(visit, shopId);
  requireFile(request);
  using claim = claimBody(visit);
  claim.add(STREAMED_BYTES);
  const { name, mode, dry_run: dryRun, allow_shrink: allowShrink, strict, map } = query;
  const { view, isReplay } = await receiveUpload(services, {
    ...{ shop, name, dryRun, allowShrink, strict, full: mode === 'full' },
    hints: {
      format: query.format,
      encoding: query.encoding,
      mapping: map.length === 0 ? undefined : new Map(map.map(readMapping)),
    },
    bytes: streamBody(request),
    keyed: keyedBy(visit),
  });
  if (isReplay) headers['idempotency-replayed'] = 'true';
  headers['location'] = `/rest/catalog/${shop.id}/imports/${view.id}/`;
  return json(visit, view, 202);
}

/** Throws unless the body is the file itself, as it is or compressed with gzip. */
function requireFile(request: Request): void {
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding))
    throw new AppError(
      'unsupported_media_type',
      'Send the file as it is, or compressed with gzip.',
    );
  if (mediaType(request).startsWith('multipart/'))
    throw new AppError('unsupported_media_type', 'Send the file itself as the body, not a form.');
  const length = Number(request.headers.get('content-length') ?? 1);
  if (length > UPLOAD_BYTES_MAX)
    throw new AppError('too_large', `The file is larger than ${UPLOAD_BYTES_MAX} bytes.`);
  if (length === 0) throw new AppError('invalid_input', 'The body is empty.');
}

function readMapping(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  return [
    text.slice(0, at).trim().toLowerCase(),
    text
      .slice(at + 1)
      .trim()
      .toLowerCase(),
  ];
}

function keyedBy({ request, url }: Visit): KeyedRequest | null {
  const key = readIdempotencyKey(request);
  if (key === null) return null;
  const digest = createHash('sha256').update(`${request.method} ${url.pathname}${url.search}`);
  return { key, digest: digest.digest('hex') };
}

async function requireImport(
  visit: Visit,
  { shop_id, import_id }: { shop_id: string; import_id: string },
): Promise<ImportView> {
  const shop = shopOfPath(visit, shop_id);
  const found = await findImport(visit.services, shop, import_id);
  if (found === null) throw new AppError('not_found', 'There is no such import.');
  return found;
}

async function showErrors(
  visit: Visit,
  params: { shop_id: string; import_id: string },
): Promise<Response> {
  const found = await requireImport(visit, params);
  const parts = readImportErrors(visit.services, found);
  visit.headers['content-type'] = 'text/csv; charset=utf-8';
  visit.headers['content-disposition'] = `attachment; filename="${found.id}.errors.csv"`;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await parts.next();
      if (value === undefined) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return whole(visit, body);
}
