import { hash } from 'node:crypto';

/** SHA-256, cut to 128 bits, in hex: enough to tell texts of one catalogue apart, and to find a flipped bit. */
export function contentHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
