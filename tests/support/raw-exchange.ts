import { connect } from 'node:net';

/** How long bytes that never become a whole request are waited for. */
const SILENT_MS = 250;

/** What comes back for bytes of ours, as Latin-1, until the other side hangs up or says nothing more. */
export function exchange(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
