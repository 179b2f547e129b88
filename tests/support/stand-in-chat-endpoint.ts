import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format?: { readonly type: string };
    readonly [parameter: string]: unknown;
  };
  /** The JSON document in the user's message. */
  readonly document: {
    readonly question: string;
    readonly products: readonly { readonly number: number; readonly text: string }[];
  };
}

export interface ChatExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly asked: Asked;
}

export type Reply = (exchange: ChatExchange) => void;

export interface ChatEndpoint {
  readonly origin: string;
  readonly asked: Asked[];
  reply: Reply;
  close(): void;
}

/** A real HTTP server that answers `/chat/completions` with what `reply` returns, valid or not. */
export async function startChatEndpoint(): Promise<ChatEndpoint> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body: Asked['body'] = JSON.parse(text);
    const document: Asked['document'] = JSON.parse(body.messages.at(-1)!.content);
    const { authorization } = request.headers;
    const asked = { path: request.url!, authorization, body, document };
    endpoint.asked.push(asked);
    endpoint.reply({ request, response, asked });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint: ChatEndpoint = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    reply: gradeHonestly,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return endpoint;
}

/** A well-formed answer with that message. */
export function say(response: ServerResponse, content: unknown): void {
  const message = { role: 'assistant', content };
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
}

/** The grade that a stand-in model gives: a product states it as "worth 3". */
export function honestGrade(text: string): number {
  return Number(/worth (\d)/.exec(text)?.[1] ?? 0);
}

export function gradeHonestly({ response, asked }: ChatExchange): void {
  const grades = asked.document.products.map(({ number, text }) => ({
    number,
    grade: honestGrade(text),
  }));
  say(response, JSON.stringify({ grades }));
}

/** Every way in which a reachable endpoint misbehaves. */
export const FAULTS: Readonly<Record<string, Reply>> = {
  'a stall': () => undefined,
  'a stall after the headers': ({ response }) => void response.write('{"choices":['),
  'a drip': ({ response }) => {
    const timer = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(timer));
  },
  'an endless body': ({ response }) => pourForEver(response),
  'a refusal with an endless body': ({ response }) => {
    response.writeHead(500);
    pourForEver(response);
  },
  garbage: ({ response }) => response.end(Buffer.from(crypto.getRandomValues(new Uint8Array(999)))),
  'garbage in the message': ({ response }) => say(response, '}{"grades":]['),
  HTML: ({ response }) => response.end('<html>{}</html>'),
  nothing: ({ response }) => response.end(),
  'a cut connection': ({ request }) => request.socket.destroy(),
  'a connection cut halfway': ({ request, response }) => {
    response.writeHead(200, { 'content-length': '100000' });
    response.write('{"choices":[');
    setTimeout(() => request.socket.destroy(), 5);
  },
  'a redirect to a link-local address': ({ response }) =>
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  'a 500': ({ response }) => response.writeHead(500).end('{"error":{"message":"oops"}}'),
  'a 401': ({ response }) => response.writeHead(401).end(),
  'a 429': ({ response }) => response.writeHead(429, { 'retry-after': '99' }).end(),
  'a 400 to everything': ({ response }) => response.writeHead(400).end(),
  'another shape': ({ response }) => response.end('[{"choices":1}]'),
  'no choice': ({ response }) => response.end('{"choices":[]}'),
  'a message of null': ({ response }) => say(response, null),
  'a message in parts': ({ response }) => say(response, [{ type: 'text', text: '{"grades":[]}' }]),
  'another shape in the message': ({ response }) => say(response, '{"grades":{"1":3}}'),
  'a list in the message': ({ response }) => say(response, '[{"number":1,"grade":3}]'),
  'no grade': ({ response }) => say(response, '{"grades":[]}'),
  'two objects': ({ response }) =>
    say(response, '{"grades":[{"number":1,"grade":3}]} {"grades":[{"number":1,"grade":0}]}'),
  'an answer cut by its length': ({ response }) => say(response, '{"grades":[{"number":1,"gra'),
  'wrong ids': ({ response }) =>
    say(response, JSON.stringify({ grades: [0, -1, 26, 1.5, '1', null].map(gradeOf(3)) })),
  'wrong grades': ({ response }) =>
    say(response, JSON.stringify({ grades: [1, 2, 3].map(gradeOf(4)) })),
  'grades in words': ({ response }) =>
    say(response, JSON.stringify({ grades: [1, 2, 3].map(gradeOf('3')) })),
  NaN: ({ response }) => say(response, '{"grades":[{"number":1,"grade":NaN}]}'),
  'infinite numbers': ({ response }) =>
    say(response, '{"grades":[{"number":1e999,"grade":1e999}]}'),
  'a nest of brackets': ({ response }) => say(response, `{${'['.repeat(500_000)}}`),
  'braces by the hundred thousand': ({ response }) => say(response, '{'.repeat(500_000)),
  '10 MB': ({ response }) => say(response, 'x'.repeat(10_000_000)),
};

function gradeOf(grade: unknown): (number: unknown) => { number: unknown; grade: unknown } {
  return (number) => ({ number, grade });
}

function pourForEver(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(1 << 16)));
  };
  response.on('drain', more);
  more();
}
