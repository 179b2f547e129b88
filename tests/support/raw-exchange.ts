import { connect } from 'node:net';

/** How long bytes that may never become a whole request are waited for. */
const SILENT_MS = 250;

/** How long an answer that has begun is waited for. */
const STALLED_MS = 2000;

/**
 * What comes back for bytes of ours, as Latin-1, until the other side hangs up or says nothing more. With
 * `until` it is waited for as long as a busy machine may take, and no longer than until that has come.
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
