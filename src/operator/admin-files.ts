import { AppError } from '../domain/errors.ts';
import { SILENT } from '../operations/define-operation.ts';
import { receiveDraft } from '../operations/drafts/open-draft.ts';
import { readImportErrors, showImport } from '../operations/pushes/find-import.ts';
import { UPLOAD_BYTES_MAX } from '../operations/pushes/upload-file.ts';
import { runOperation } from '../operations/run-operation.ts';
import { json } from './admin-guard.ts';
import type { OperatorVisit } from './operator-route.ts';

const NAME_LENGTH_MAX = 200;

/** Keeps the body as a draft. `name` and `organization` are in the query. */
export async function upload({ services, request }: OperatorVisit): Promise<Response> {
  const { searchParams: query } = new URL(request.url);
  if (Number(request.headers.get('content-length') ?? 0) > UPLOAD_BYTES_MAX)
    throw new AppError('too_large', `The file is larger than ${UPLOAD_BYTES_MAX} bytes.`);
  const name = query.get('name')?.slice(0, NAME_LENGTH_MAX) || 'upload';
  const organization = query.get('organization') ?? undefined;
  const bytes = request.body ?? nothing();
  return json({ result: await receiveDraft(services, { organization, name, bytes }) });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The records to correct of one import, as a file. */
export async function downloadErrors({ services, request }: OperatorVisit): Promise<Response> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const found = await runOperation(services, showImport, query, SILENT);
  const parts = readImportErrors(services, found);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await parts.next();
      if (value === undefined) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${found.id}.errors.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}
