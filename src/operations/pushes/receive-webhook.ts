import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import type { Shop } from '../../domain/organization.ts';
import { insertDelivery, type WebhookPlatform } from '../../storage/catalog/webhooks.ts';
import { chargeFailure } from '../tenants/admit.ts';
import type { TenantServices } from '../tenants/tenant-services.ts';
import type { PushServices } from './push-services.ts';
import { shopifyWebhooks } from './shopify-webhooks.ts';
import type { WebhookReader } from './webhook-events.ts';
import { wooWebhooks } from './woo-webhooks.ts';

/** Deliveries are remembered for longer than any shop system repeats them. */
const REMEMBERED_MS = 7 * 24 * 3_600_000;

/** Shopify repeats a delivery for at most two days. */
const OLD_MS = 48 * 3_600_000;

/** Per organization, in a bucket of its own. */
const LIMIT = { perMinute: 6000, burst: 1000 };

/** What each shop system's webhooks look like. */
export const WEBHOOKS: Readonly<Record<WebhookPlatform, WebhookReader>> = {
  shopify: shopifyWebhooks,
  woocommerce: wooWebhooks,
};

/** A webhook as it arrives. */
export interface WebhookRequest {
  readonly platform: WebhookPlatform;
  readonly shopId: string;
  /** Base64 of the HMAC-SHA-256 of the body. */
  readonly signature: string;
  /** The shop system's id of the delivery, and its topic. Neither is signed. */
  readonly deliveryId: string;
  readonly topic: string;
  /** When it happened, if the shop system says so. */
  readonly triggeredAt: string | null;
  readonly body: string;
  /** Throws `invalid_input` for a body that is no JSON. Called once the signature is known to be good. */
  requireJson(): void;
  readonly clientAddress: string;
}

/** Whether a delivery waits to be applied, came before, or is about nothing that matters. */
export type WebhookReceipt = 'accepted' | 'duplicate' | 'ignored';

/**
 * Checks the signature and stores the delivery, to be applied by `applyNextDelivery`; it is on disk when
 * this resolves. Throws `unauthorized`, always in the same words, for a wrong signature, an unknown shop
 * and a shop without a secret, `rate_limited`, and `invalid_input` for an old delivery or no JSON.
 */
export async function receiveWebhook(
  services: PushServices & TenantServices,
  request: WebhookRequest,
): Promise<WebhookReceipt> {
  const { db, platform: outside } = services;
  const { platform, deliveryId, topic, triggeredAt, body } = request;
  const shop = verify(services, request);
  takeToken(services, shop);
  if (!WEBHOOKS[platform].topics.has(topic)) return 'ignored';
  request.requireJson();
  const receivedAt = outside.now();
  const happenedAt = triggeredAt === null ? Number.NaN : Date.parse(triggeredAt);
  if (receivedAt - happenedAt > OLD_MS)
    throw new AppError('invalid_input', 'The delivery is more than two days old.');
  // WooCommerce gives all deliveries of one second the same id.
  const digest = createHash('sha256').update(`${topic}\n${body}`).digest('hex').slice(0, 32);
  const delivery = { shopKey: shop.key, platform, topic, receivedAt, body };
  const [inserted] = await db.write(
    insertDelivery(
      { ...delivery, deliveryId: `${deliveryId}:${digest}` },
      receivedAt - REMEMBERED_MS,
    ),
  );
  return inserted!.rowsAffected === 0 ? 'duplicate' : 'accepted';
}

/** The shop whose secret signed the body. */
function verify(
  services: PushServices & TenantServices,
  { shopId, signature, body, clientAddress }: WebhookRequest,
): Shop {
  const { directory } = services;
  const shop = directory.findShopById(shopId);
  const secret = shop === null ? null : directory.webhookSecret(shop.key);
  // Computed in any case, so that the time tells nothing.
  const expected = createHmac('sha256', secret ?? shopId)
    .update(body)
    .digest();
  const given = Buffer.from(signature, 'base64');
  const isGood = given.length === expected.length && timingSafeEqual(given, expected);
  if (shop !== null && secret !== null && isGood) return shop;
  chargeFailure(services, clientAddress);
  throw new AppError('unauthorized', 'The signature is not that of this shop’s webhook secret.');
}

function takeToken({ directory, rateLimiter }: PushServices & TenantServices, shop: Shop): void {
  const { organizationKey } = shop;
  if (directory.organization(organizationKey).rateLimit === null) return;
  const { waitMs } = rateLimiter.take([{ name: `webhooks:${organizationKey}`, limit: LIMIT }]);
  if (waitMs > 0)
    throw new AppError('rate_limited', 'The rate limit of this organization is used up.', {
      retryAfterMs: waitMs,
    });
}
