import { Elysia } from 'elysia';
import Type from 'typebox';
import { clientNetwork } from '../../domain/private-data.ts';
import {
  receiveWebhook,
  type WebhookReceipt,
  type WebhookRequest,
} from '../../operations/pushes/receive-webhook.ts';
import { admission } from '../exchange/admission.ts';
import { parseJson, readText } from '../exchange/body.ts';
import { operation, type RouteContract } from '../exchange/operation.ts';
import { paramsOf } from '../exchange/route-schema.ts';
import { type AnswerSet, arrivalOf, type HttpServices, json } from '../exchange/visit.ts';

/** A product with two thousand variants has about three. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** WooCommerce asks with this form, unsigned, whether anybody listens. */
const WOO_PING = /^webhook_id=\d{1,20}$/;

const WebhookParams = Type.Object({
  shop_id: Type.String({
    description: 'Id of the shop.',
    examples: ['0199e5a0-7c1e-7a3b-9d52-3f1c8b2e4d60'],
  }),
});

const WebhookAnswer = Type.Object({
  state: Type.Enum(['accepted', 'duplicate', 'ignored'], {
    description:
      '`accepted`: on disk, and applied within a second. `duplicate`: this delivery came before. `ignored`: its topic does not concern the catalogue.',
  }),
});

const text = (description: string) => Type.Optional(Type.String({ description }));

const CONTRACT: Omit<RouteContract, 'summary' | 'description' | 'requestHeaders'> = {
  scope: null,
  body: Type.Object({}),
  bodyExamples: { deletion: { id: 632910392 } },
  answer: WebhookAnswer,
  answerExample: { state: 'accepted' },
};

const DESCRIPTION =
  'Needs no key: the body is signed with the secret of `vitrine shop set --webhook-secret`. 401 if it is not. A delivery that is older than what another has brought changes nothing.';

const SHOPIFY: RouteContract = {
  ...CONTRACT,
  summary: 'A webhook of Shopify',
  description: `${DESCRIPTION} Topics: products/create, products/update, products/delete, inventory_levels/update, inventory_levels/connect and inventory_levels/disconnect.`,
  requestHeaders: Type.Object({
    'X-Shopify-Hmac-Sha256': text('Base64 of the HMAC-SHA-256 of the body.'),
    'X-Shopify-Topic': text('What happened.'),
    'X-Shopify-Webhook-Id': text('Id of the delivery.'),
    'X-Shopify-Triggered-At': text('When it happened; refused after two days.'),
  }),
};

const WOO: RouteContract = {
  ...CONTRACT,
  summary: 'A webhook of WooCommerce',
  description: `${DESCRIPTION} Topics: product.created, product.updated, product.deleted, product.restored and product.published, of REST API version 3.`,
  requestHeaders: Type.Object({
    'X-WC-Webhook-Signature': text('Base64 of the HMAC-SHA-256 of the body.'),
    'X-WC-Webhook-Topic': text('What happened.'),
    'X-WC-Webhook-Delivery-ID': text('Id of the delivery.'),
  }),
};

/** What shop systems send by themselves. */
export function webhookRoutes(services: HttpServices) {
  const answer = async (
    { request, set, shopId }: { request: Request; set: AnswerSet; shopId: string },
    platform: WebhookRequest['platform'],
  ) => json({ set }, { state: await receive(services, { request, shopId, platform }) });
  return new Elysia()
    .use(admission(services))
    .post(
      '/rest/webhooks/shopify/:shop_id',
      ({ request, set, params }) =>
        answer({ request, set: set as AnswerSet, shopId: params.shop_id }, 'shopify'),
      { open: true, parse: 'none', params: paramsOf(WebhookParams), detail: operation(SHOPIFY) },
    )
    .post(
      '/rest/webhooks/woocommerce/:shop_id',
      ({ request, set, params }) =>
        answer({ request, set: set as AnswerSet, shopId: params.shop_id }, 'woocommerce'),
      { open: true, parse: 'none', params: paramsOf(WebhookParams), detail: operation(WOO) },
    );
}

async function receive(
  services: HttpServices,
  { request, shopId, platform }: { request: Request } & Pick<WebhookRequest, 'shopId' | 'platform'>,
): Promise<WebhookReceipt> {
  const clientAddress = arrivalOf(request).connection.address();
  const network = clientNetwork(clientAddress);
  using claim = services.bodyBudget.claim({ keyId: null, network });
  const body = await readText(request, { maxBytes: BODY_BYTES_MAX, claim: claim.add });
  if (platform === 'woocommerce' && WOO_PING.test(body)) return 'ignored';
  const header = (name: string) => request.headers.get(name) ?? '';
  const shopify = platform === 'shopify';
  return receiveWebhook(services, {
    ...{ platform, shopId, body, clientAddress },
    signature: header(shopify ? 'x-shopify-hmac-sha256' : 'x-wc-webhook-signature'),
    deliveryId: header(shopify ? 'x-shopify-webhook-id' : 'x-wc-webhook-delivery-id'),
    topic: header(shopify ? 'x-shopify-topic' : 'x-wc-webhook-topic'),
    triggeredAt: shopify ? request.headers.get('x-shopify-triggered-at') : null,
    requireJson: () => void parseJson(body),
  });
}
