import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Most streams per key. */
export const STREAMS_OF_KEY = 20;

const AT_ONCE = 100;

/** How long a key whose previous streams are being closed may take to get a free one. */
const RETRY_MS = 5;

/** How a client disconnects: cleanly, with a reset, or with unread events. */
const WAYS_TO_GO: readonly ((socket: Socket) => void)[] = [
  (socket) => socket.end().resume(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.pause().destroy(),
];

export interface StreamsOf {
  readonly port: number;
  /** Each good for 20 streams. */
  readonly apiKeys: readonly string[];
}

/** Opens streams, half of them with sessions on the older transport. Throws the answer if it is not a stream. */
export function openStreams(streams: StreamsOf, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => openStream(streams, number)));
}

/** Disconnects every client, in varying ways. */
export function vanish(sockets: readonly Socket[]): void {
  for (const [number, socket] of sockets.entries()) WAYS_TO_GO[number % WAYS_TO_GO.length]!(socket);
}

/** Opens that many streams, some concurrently, and disconnects each after its first bytes. */
export async function churn(streams: StreamsOf, count: number): Promise<void> {
  let next = 0;
  const visit = async () => {
    for (let number = next++; number < count; number = next++) {
      let socket: Socket | null = null;
      while (socket === null)
        socket = await openStream(streams, number).catch(() => delay(RETRY_MS, null));
      WAYS_TO_GO[number % WAYS_TO_GO.length]!(socket);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, visit));
}

/** Resolves with the first bytes of an event stream; rejects with the status line of another answer. */
function openStream({ port, apiKeys }: StreamsOf, number: number): Promise<Socket> {
  const version = number % 2 === 0 ? 'MCP-Protocol-Version: 2025-06-18\r\n' : '';
  const apiKey = apiKeys[Math.floor(number / STREAMS_OF_KEY) % apiKeys.length]!;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\n${version}\r\n`,
      ),
    );
    let head = '';
    socket.on('data', (chunk) => {
      if (head.includes(': open')) return;
      head += chunk.toString();
      if (head.includes(': open')) resolve(socket);
      else if (!head.startsWith('HTTP/1.1 200')) {
        socket.destroy();
        reject(new Error(head.split('\r\n', 1)[0]));
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
  });
}
