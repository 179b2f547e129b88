import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bytes of the signature: 128 bits. */
const SIGNATURE_BYTES = 16;

/** What a sealed value is for. A value with another purpose is refused. */
export type SealPurpose = 'client' | 'sign-in' | 'consent';

/** The value as signed text. Anybody can read it, but only the holder of `secret` can make it. */
export function seal(secret: string, purpose: SealPurpose, value: object): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${text}.${sign(secret, purpose, text).toString('base64url')}`;
}

/** The sealed value; null if it was not sealed with this secret for this purpose. */
export function unseal<Value>(secret: string, purpose: SealPurpose, sealed: string): Value | null {
  const [, text = '', signature = ''] = /^([\w-]+)\.([\w-]{22})$/.exec(sealed) ?? [];
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== SIGNATURE_BYTES) return null;
  if (!timingSafeEqual(given, sign(secret, purpose, text))) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Value;
}

function sign(secret: string, purpose: SealPurpose, text: string): Buffer {
  const mac = createHmac('sha256', secret).update(`${purpose}.${text}`).digest();
  return mac.subarray(0, SIGNATURE_BYTES);
}
