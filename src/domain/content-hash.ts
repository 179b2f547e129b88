import { hash } from 'node:crypto';

/** SHA-256 truncated to 128 bits, in hex: enough to tell a catalogue's texts apart and to detect a flipped bit. */
export function contentHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
