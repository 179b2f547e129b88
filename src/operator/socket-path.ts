import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Bytes that fit into a socket's address on every system. */
const PATH_BYTES_MAX = 100;

/** The operator's socket of a data folder; in the temp folder where the folder's own path is too long. */
export function socketPath(dataFolder: string, platform: string = process.platform): string {
  const folder = resolve(dataFolder);
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform === 'win32') return `\\\\.\\pipe\\vitrine-${name}`;
  const path = join(folder, 'vitrine.sock');
  return Buffer.byteLength(path) <= PATH_BYTES_MAX ? path : join(tmpdir(), `vitrine-${name}.sock`);
}
