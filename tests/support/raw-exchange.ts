import { connect } from 'node:net';

/** How long to wait for an answer to bytes that may never form a complete request. */
const SILENT_MS = 250;

/** How long to wait for the rest of an answer. */
const STALLED_MS = 2000;

/**
 * Sends raw bytes and returns the answer as Latin-1, up to when the other side hangs up or falls silent.
 * With `until`, waits for that text as long as a busy machine may need, then returns immediately.
 */
export function exchange(url: string, bytes: Buffer, until?: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(until === undefined ? SILENT_MS : 10 * STALLED_MS, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (until === undefined) socket.setTimeout(STALLED_MS);
      else if (answer.includes(until)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
