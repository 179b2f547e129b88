import { createHash } from 'node:crypto';
import { Elysia } from 'elysia';
import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { type PushCounts, refusal } from '../../operations/pushes/apply-push.ts';
import { changeItems } from '../../operations/pushes/change-items.ts';
import { findItem } from '../../operations/pushes/find-item.ts';
import {
  type ItemChange,
  type ItemMembers,
  putItem,
  removeItem,
} from '../../operations/pushes/item-changes.ts';
import { answerOnce } from '../../operations/pushes/keyed-requests.ts';
import { admission } from '../exchange/admission.ts';
import { isJson, mediaType, parseJson, readText, requireJson } from '../exchange/body.ts';
import { claimBody } from '../exchange/charge.ts';
import { REPEATABLE, readIdempotencyKey } from '../exchange/idempotency-key.ts';
import { jsonLines, NDJSON, tooMany } from '../exchange/json-lines.ts';
import { measureJson } from '../exchange/json-shape.ts';
import { operation, type RouteContract } from '../exchange/operation.ts';
import { paramsOf } from '../exchange/route-schema.ts';
import { ShopParams, shopOfPath } from '../exchange/shop-params.ts';
import { type HttpServices, json, jsonText, type Visit, whole } from '../exchange/visit.ts';
import {
  ExternalId,
  ItemBody,
  ItemPatchBody,
  ItemPatchLine,
  patchOf,
  readItemPatch,
  readLine,
  readRecord,
  StoredItem,
} from './item-body.ts';

const BODY_BYTES_MAX = 1024 * 1024;

/** Records of one request. */
const RECORDS = { max: 1000, of: 'records' };

const PushAnswer = Type.Object({
  added: Type.Integer({ minimum: 0 }),
  changed: Type.Integer({ minimum: 0 }),
  removed: Type.Integer({ minimum: 0 }),
  same: Type.Integer({ minimum: 0, description: 'Items that were so already.' }),
});

const COUNTS = { added: 0, changed: 0, removed: 0, same: 0 };

const ItemParams = Type.Object({ ...ShopParams.properties, external_id: ExternalId });

const PATCH_EXAMPLES = {
  stock: { availability: 'out_of_stock' },
  price: { price: '79.90', compareAtPrice: '99.90' },
  variant: { variants: [{ id: '42-M', price: '22.00', available: true }] },
};

const PATCH_MANY: RouteContract = {
  scope: 'catalog',
  summary: 'Change many items',
  description: `Takes at most ${RECORDS.max} records, as JSON Lines or as an array, such as \`{"externalId":"SKU-4431","price":"79.90"}\`. Either all of them take effect, or none. The changes are on disk when the response arrives, and the next search sees them. Changes of price, compareAtPrice and availability alone take effect at once, beside a running import too, and no embedding is computed again.`,
  body: Type.Array(ItemPatchLine, { maxItems: RECORDS.max }),
  bodyExamples: {
    stock: [
      { externalId: 'SKU-4431', price: '79.90', compareAtPrice: '99.90' },
      { externalId: 'SKU-4432', availability: 'out_of_stock' },
      { externalId: '42', variants: [{ id: '42-M', available: false }] },
    ],
  },
  furtherBodies: [NDJSON],
  requestHeaders: REPEATABLE,
  answer: PushAnswer,
  answerExample: { ...COUNTS, changed: 998, same: 2 },
};

const PATCH_ONE: RouteContract = {
  ...PATCH_MANY,
  summary: 'Change an item',
  description:
    'Changes what is named and keeps the rest; null clears a member. An offering with variants takes its price and its availability from them: name them in `variants`. The change is on disk when the response arrives, and the next search sees it.',
  furtherBodies: [],
  body: ItemPatchBody,
  bodyExamples: PATCH_EXAMPLES,
  answerExample: { ...COUNTS, changed: 1 },
};

const ITEM_EXAMPLE = {
  name: 'Waterproof jacket',
  description: 'Keeps rain out in any weather.',
  price: '79.90',
  compareAtPrice: '99.90',
  tags: ['outdoor'],
};

const PUT: RouteContract = {
  ...PATCH_ONE,
  summary: 'Add or replace an item',
  description:
    'The body is the whole item, an offering or a context, in the format of `vitrine catalog export`. 201 if it is new. It is on disk when the response arrives, and the next search finds it. 503 while a long import of the organization runs.',
  body: ItemBody,
  bodyExamples: {
    offering: ITEM_EXAMPLE,
    context: { type: 'context', name: 'Returns', description: 'Within 30 days.' },
  },
  created: PushAnswer,
  createdExample: { ...COUNTS, added: 1 },
};

const GET: RouteContract = {
  scope: 'catalog',
  summary: 'An item',
  description: 'The item as it is stored, without empty members.',
  answer: StoredItem,
  answerExample: {
    id: '6f3c1c5e-0d55-5a3e-9f0a-2f6f0c1d7a11',
    updatedAt: '2026-11-21T14:30:00.412Z',
    externalId: 'SKU-4431',
    ...{ type: 'product', kind: 'product', ...ITEM_EXAMPLE },
    ...{ currency: 'EUR', availability: 'in_stock' },
  },
};

const DELETE: RouteContract = {
  scope: 'catalog',
  summary: 'Remove an item',
  description:
    'The next search does not find it. 503 while a long import of the organization runs.',
  requestHeaders: REPEATABLE,
  furtherAnswers: { '204': 'It is removed.' },
};

/** Single items of a catalogue. */
export function itemRoutes(services: HttpServices) {
  const caller = { scope: 'catalog', bucket: 'catalog' } as const;
  const one = { caller, parse: 'none', params: paramsOf(ItemParams) } as const;
  return new Elysia()
    .use(admission(services))
    .patch(
      '/rest/catalog/:shop_id/items',
      ({ visit, params }) => patchMany(visit, params.shop_id),
      { caller, parse: 'none', params: paramsOf(ShopParams), detail: operation(PATCH_MANY) },
    )
    .get(ITEM_PATH, ({ visit, params }) => showItem(visit, params), {
      ...one,
      detail: operation(GET),
    })
    .put(ITEM_PATH, ({ visit, params }) => putOne(visit, params), {
      ...one,
      detail: operation(PUT),
    })
    .patch(ITEM_PATH, ({ visit, params }) => patchOne(visit, params), {
      ...one,
      detail: operation(PATCH_ONE),
    })
    .delete(ITEM_PATH, ({ visit, params }) => deleteOne(visit, params), {
      ...one,
      detail: operation(DELETE),
    });
}

const ITEM_PATH = '/rest/catalog/:shop_id/items/:external_id';

interface ItemPlace {
  readonly shop_id: string;
  readonly external_id: string;
}

async function showItem(visit: Visit, { shop_id, external_id }: ItemPlace): Promise<string> {
  const item = await findItem(visit.services, shopOfPath(visit, shop_id), external_id);
  if (item === null) throw new AppError('not_found', 'There is no such item.');
  return json(visit, item);
}

async function putOne(visit: Visit, { shop_id, external_id }: ItemPlace): Promise<string> {
  shopOfPath(visit, shop_id);
  requireJson(visit.request);
  using claim = claimBody(visit);
  const text = await readText(visit.request, { maxBytes: BODY_BYTES_MAX, claim: claim.add });
  const members = parseJson(text);
  if (typeof members !== 'object' || members === null || Array.isArray(members))
    throw refusal([{ path: '', message: 'must be an object' }]);
  const change = putItem(external_id, members as ItemMembers);
  const statusOf = ({ added }: PushCounts) => (added > 0 ? 201 : 200);
  return push(visit, shop_id, { changes: [change], text, statusOf });
}

async function patchMany(visit: Visit, shopId: string): Promise<string> {
  shopOfPath(visit, shopId);
  const type = mediaType(visit.request);
  if (type !== NDJSON && !isJson(type))
    throw new AppError('unsupported_media_type', `Send the body as ${NDJSON} or application/json.`);
  using claim = claimBody(visit);
  const text = await readText(visit.request, { maxBytes: BODY_BYTES_MAX, claim: claim.add });
  const readings = type === NDJSON ? jsonLines(text, RECORDS).map(readLine) : readArray(text);
  const issues = readings.flatMap((reading) => ('issues' in reading ? reading.issues : []));
  if (issues.length > 0) throw refusal(issues);
  return push(visit, shopId, { changes: readings as ItemChange[], text });
}

function readArray(text: string): ReturnType<typeof readRecord>[] {
  const shape = measureJson(text, RECORDS.max);
  if (shape.items !== null && shape.items > RECORDS.max) throw tooMany(RECORDS);
  const records = parseJson(text, shape);
  if (!Array.isArray(records)) throw refusal([{ path: '', message: 'must be a list' }]);
  return records.map((record, index) => readRecord(index + 1, record));
}

async function patchOne(visit: Visit, { shop_id, external_id }: ItemPlace): Promise<string> {
  shopOfPath(visit, shop_id);
  requireJson(visit.request);
  using claim = claimBody(visit);
  const text = await readText(visit.request, { maxBytes: BODY_BYTES_MAX, claim: claim.add });
  const reading = readItemPatch(parseJson(text));
  if ('issues' in reading) throw refusal(reading.issues);
  const change = patchOf({ externalId: external_id, line: null }, reading.value);
  return push(visit, shop_id, { changes: [change], text });
}

async function deleteOne(visit: Visit, { shop_id, external_id }: ItemPlace): Promise<Response> {
  const statusOf = () => 204;
  await push(visit, shop_id, { changes: [removeItem(external_id)], text: '', statusOf });
  delete visit.headers['content-type'];
  return whole(visit, null, 204);
}

interface BodyOfPush {
  readonly changes: readonly ItemChange[];
  readonly text: string;
  /** 200 by default. */
  statusOf?(counts: PushCounts): number;
}

async function push(
  visit: Visit,
  shopId: string,
  { changes, text, statusOf = () => 200 }: BodyOfPush,
): Promise<string> {
  const { services, caller, request, url, set } = visit;
  const shop = shopOfPath(visit, shopId);
  const key = readIdempotencyKey(request);
  const digest = () =>
    createHash('sha256').update(`${request.method} ${url.pathname}\n${text}`).digest('hex');
  const organizationKey = caller.organization.key;
  const keyed = { organizationKey, request: key === null ? null : { key, digest: digest() } };
  const answerTo = (counts: PushCounts) => {
    return { status: statusOf(counts), body: JSON.stringify(counts) };
  };
  const { answer, isReplay } = await answerOnce(services, keyed, async (record) => {
    const also = (counts: PushCounts) => record(answerTo(counts));
    return answerTo(await changeItems(services, shop, { changes, also }));
  });
  if (isReplay) visit.headers['idempotency-replayed'] = 'true';
  set.status = answer.status;
  return jsonText(visit, answer.body);
}
