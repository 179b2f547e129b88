import { Elysia } from 'elysia';
import Type, { type Static } from 'typebox';
import { AppError, type ErrorCode, type Issue } from '../../domain/errors.ts';
import { type Idempotency, recordHits } from '../../operations/hits/record-hits.ts';
import type { BodyClaim } from '../../operations/tenants/body-budget.ts';
import { admission } from '../exchange/admission.ts';
import {
  isJson,
  type JsonReading,
  mediaType,
  parseItems,
  readJson,
  readText,
} from '../exchange/body.ts';
import { chargeRest, claimBody } from '../exchange/charge.ts';
import { REPEATABLE, readIdempotencyKey } from '../exchange/idempotency-key.ts';
import { type JsonLine, jsonLines, NDJSON, tooMany } from '../exchange/json-lines.ts';
import { measureJson } from '../exchange/json-shape.ts';
import { operation, type RouteContract } from '../exchange/operation.ts';
import { type HttpServices, json, type Visit } from '../exchange/visit.ts';
import { HeaderFields, HitBody, type ReadHit, readHit } from './hit-body.ts';

const HIT_BYTES_MAX = 64 * 1024;
const BODY_BYTES_MAX = 1024 * 1024;
const BATCH_MAX = 1000;

const BATCH = { max: BATCH_MAX, of: 'hits' };

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const HitRecord = Type.Object({
  id: Type.String({ format: 'uuid' }),
  organization: Type.String({ format: 'uuid' }),
  eventDate: Type.String({ description: 'The date as it was sent.' }),
  classification: Type.String(),
  method: nullable(Type.String()),
  path: nullable(Type.String()),
  url: nullable(Type.String()),
  userAgent: nullable(Type.String()),
  clientIp: nullable(Type.String()),
  botScore: nullable(Type.Number()),
  verifiedBot: nullable(Type.Boolean()),
  headers: nullable(HeaderFields),
  cf: nullable(Type.Record(Type.String(), Type.Unknown())),
  offeringId: Type.Optional(Type.String({ description: 'Only if it was sent.' })),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
});

const BatchAnswer = Type.Object({
  accepted: Type.Integer({ minimum: 0 }),
  rejected: Type.Integer({ minimum: 0 }),
  results: Type.Array(
    Type.Union([
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        status: Type.Literal('accepted'),
        id: Type.String({ format: 'uuid' }),
      }),
      Type.Object({
        index: Type.Integer({ minimum: 0 }),
        status: Type.Literal('rejected'),
        code: Type.String(),
        issues: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
      }),
    ]),
    { maxItems: BATCH_MAX },
  ),
});

const EXAMPLE = {
  organization: '0199e5a0-7c1e-7a3b-9d52-3f1c8b2e4d60',
  eventDate: '2026-11-21T14:30:00Z',
  classification: 'search',
};

const HITS: RouteContract = {
  scope: 'hits',
  summary: 'Record hits',
  description: `Records one hit, or a batch of up to ${BATCH_MAX} hits as a JSON array or as JSON Lines. Of a batch, the valid hits are kept. The response comes once they are on disk. With an Idempotency-Key, which is kept for 24 hours, a request can be repeated without a second record.`,
  body: Type.Union([HitBody, Type.Array(HitBody, { maxItems: BATCH_MAX })]),
  bodyExamples: {
    least: EXAMPLE,
    full: {
      ...EXAMPLE,
      method: 'GET',
      path: '/search',
      url: 'https://shop.example/search?q=waterproof+jacket',
      userAgent: 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
      clientIp: '203.0.113.7',
      botScore: 0.97,
      verifiedBot: true,
      headers: { accept: 'text/html', 'accept-language': 'en' },
      cf: { country: 'US', asn: 8075 },
    },
    batch: [EXAMPLE, { ...EXAMPLE, classification: 'product_click', offeringId: 'enamel-mug' }],
  },
  furtherBodies: [NDJSON],
  requestHeaders: REPEATABLE,
  answer: BatchAnswer,
  answerExample: {
    accepted: 1,
    rejected: 1,
    results: [
      { index: 0, status: 'accepted', id: '0199e5a1-0c2d-7f10-8a64-5b7c9d0e1f23' },
      {
        index: 1,
        status: 'rejected',
        code: 'invalid_input',
        issues: [{ path: 'verifiedBot', message: 'must be true or false' }],
      },
    ],
  },
  created: HitRecord,
  createdExample: {
    ...{ id: '0199e5a1-0c2d-7f10-8a64-5b7c9d0e1f23', ...EXAMPLE },
    ...{ method: null, path: null, url: null, userAgent: null, clientIp: null },
    ...{ botScore: null, verifiedBot: null, headers: null, cf: null },
    ...{ createdAt: '2026-11-21T14:30:00.412Z', updatedAt: '2026-11-21T14:30:00.412Z' },
  },
};

/** The route through which clients report hits. */
export function hitsRoutes(services: HttpServices) {
  return new Elysia().use(admission(services)).post('/rest/hits', ({ visit }) => postHits(visit), {
    caller: { scope: 'hits', bucket: 'hits' },
    parse: 'none',
    detail: operation(HITS),
  });
}

/** The content of a body: one hit or a batch, each hit either read or refused. */
interface HitsInput {
  readonly isBatch: boolean;
  readonly hits: readonly ReadHit[];
  readonly text: string;
}

async function postHits(visit: Visit): Promise<string> {
  using claim = claimBody(visit);
  const input = await readInput(visit, claim);
  const idempotency = readIdempotency(visit.request, input.text);
  return input.isBatch
    ? answerBatch(visit, input, idempotency)
    : answerOne(visit, input.hits[0]!, idempotency);
}

async function answerOne(
  visit: Visit,
  read: ReadHit,
  idempotency: Idempotency | null,
): Promise<string> {
  const { services, caller } = visit;
  if ('issues' in read) throw invalid(read.issues);
  if (!isOwn(visit, read.organization)) throw foreign();
  const { fields } = read.hit;
  const { ids, createdAt, isReplay } = await recordHits(services, caller, {
    hits: [read.hit],
    idempotency,
  });
  if (isReplay) visit.headers['idempotency-replayed'] = 'true';
  const at = new Date(createdAt).toISOString();
  const organization = caller.organization.id;
  const record: Static<typeof HitRecord> = {
    id: ids[0]!,
    organization,
    ...fields,
    headers: fields.headers as Static<typeof HeaderFields> | null,
    createdAt: at,
    updatedAt: at,
  };
  return json(visit, record, 201);
}

async function answerBatch(
  visit: Visit,
  { hits }: HitsInput,
  idempotency: Idempotency | null,
): Promise<string> {
  const { services, caller } = visit;
  const accepted = hits.flatMap((read) =>
    'hit' in read && isOwn(visit, read.organization) ? [read.hit] : [],
  );
  const { ids, isReplay } = await recordHits(services, caller, { hits: accepted, idempotency });
  if (isReplay) visit.headers['idempotency-replayed'] = 'true';
  let next = 0;
  const results = hits.map((read, index) => {
    if ('issues' in read) return rejection(index, 'invalid_input', read.issues);
    return isOwn(visit, read.organization)
      ? { index, status: 'accepted' as const, id: ids[next++]! }
      : rejection(index, 'forbidden', [{ path: 'organization', message: foreign().message }]);
  });
  const answer: Static<typeof BatchAnswer> = {
    accepted: ids.length,
    rejected: hits.length - ids.length,
    results,
  };
  return json(visit, answer);
}

function rejection(index: number, code: ErrorCode, issues: readonly Issue[]) {
  return { index, status: 'rejected' as const, code, issues: [...issues] };
}

/** Charges for every hit before the body is parsed, so that a refused request costs no parsing. */
async function readInput(visit: Visit, claim: BodyClaim): Promise<HitsInput> {
  const { request } = visit;
  const type = mediaType(request);
  if (type !== NDJSON && !isJson(type)) {
    throw new AppError('unsupported_media_type', `Send the body as application/json or ${NDJSON}.`);
  }
  const text = await readText(request, { maxBytes: BODY_BYTES_MAX, claim: claim.add });
  if (type === NDJSON) {
    const lines = jsonLines(text, BATCH);
    chargeRest(visit, { bucket: 'hits', cost: lines.length });
    return { isBatch: true, hits: lines.map(readLine), text };
  }
  const shape = measureJson(text, BATCH_MAX);
  const { items } = shape;
  if (items !== null && items > BATCH_MAX) throw tooMany(BATCH);
  chargeRest(visit, { bucket: 'hits', cost: items ?? 1 });
  const parsed = parseItems(text, shape);
  if ('items' in parsed) return { isBatch: true, hits: parsed.items.map(readItem), text };
  if (Buffer.byteLength(text) > HIT_BYTES_MAX)
    throw new AppError('too_large', `A hit is at most ${HIT_BYTES_MAX} bytes.`);
  return { isBatch: false, hits: [readHit(parsed.value)], text };
}

function readLine({ text }: JsonLine): ReadHit {
  if (Buffer.byteLength(text) > HIT_BYTES_MAX) return TOO_LARGE;
  return readParsed(readJson(text));
}

function readItem(item: JsonReading): ReadHit {
  const isTooLarge =
    'value' in item && Buffer.byteLength(JSON.stringify(item.value)) > HIT_BYTES_MAX;
  return isTooLarge ? TOO_LARGE : readParsed(item);
}

function readParsed(parsed: JsonReading): ReadHit {
  return 'value' in parsed
    ? readHit(parsed.value)
    : { issues: [{ path: '', message: parsed.issue }] };
}

const TOO_LARGE: ReadHit = {
  issues: [{ path: '', message: `is larger than ${HIT_BYTES_MAX} bytes` }],
};

function readIdempotency(request: Request, body: string): Idempotency | null {
  const key = readIdempotencyKey(request);
  return key === null ? null : { key, body };
}

function isOwn({ caller }: Visit, organization: string): boolean {
  const { id, slug } = caller.organization;
  const named = organization.toLowerCase();
  return named === id || named === slug;
}

/** The same error whether or not the organization exists. */
function foreign(): AppError {
  return new AppError('forbidden', 'This key records hits of its own organization only.');
}

function invalid(issues: readonly Issue[]): AppError {
  const faults = issues.map(({ path, message }) => `${path || 'The body'} ${message}.`);
  return new AppError('invalid_input', faults.join(' '), { issues });
}
