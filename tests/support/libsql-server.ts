import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createClient, type ResultSet } from '@libsql/client';
import { HranaStream, type StreamRequest } from './hrana-stream.ts';

/*
 * A stand-in for a libSQL server: the part of Hrana 2 over HTTP (JSON) that the client uses, on a real
 * libSQL file. It refuses what sqld 0.24.33 refuses, can be slow, silent or unreachable, and counts
 * requests.
 */

/** sqld's default. */
const ANSWER_BYTES_MAX = 10_000_000;

/** How long an unused stream stays open; sqld's own value. */
const STREAM_IDLE_MS = 10_000;

export interface LibsqlServer {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Pipelines that it has run. */
  readonly requests: number;
  /** Streams that it has opened: each is a connection of its own on a real server. */
  readonly streams: number;
  /** Round-trip time of each request in milliseconds. */
  distanceMs: number;
  /** Whether it takes requests and never answers them. */
  isSilent: boolean;
  /** Runs when a request has arrived and has not been put in line: to hold it on its way. */
  onItsWay: ((text: string) => Promise<void> | void) | null;
  /** Runs before each pipeline, in line with them: to see or hold what happens in between. */
  beforePipeline: (() => Promise<void> | void) | null;
  /** Breaks every connection, forgets every stream, and refuses new ones. */
  leave(): Promise<void>;
  /** Starts again on the same port. */
  comeBack(): Promise<void>;
  /** A connection directly to its file. */
  execute(sql: string): Promise<ResultSet>;
  close(): Promise<void>;
}

export interface LibsqlServerOptions {
  readonly path: string;
  readonly port?: number;
  /** Of requests; without it none is asked for. */
  readonly authToken?: string;
  readonly distanceMs?: number;
  /** Largest answer in bytes; sqld's default if omitted. */
  readonly answerBytesMax?: number;
  /** Whether every commit waits for the disk, as with a durability mode of `strong`. */
  readonly isStrong?: boolean;
}

interface Pipeline {
  readonly baton?: string | null;
  readonly requests: readonly StreamRequest[];
}

export async function startLibsqlServer(options: LibsqlServerOptions): Promise<LibsqlServer> {
  const { path, authToken, port = 0, distanceMs = 0, isStrong = false } = options;
  const client = createClient({ url: pathToFileURL(path).href, concurrency: 1, intMode: 'bigint' });
  await client.execute('PRAGMA journal_mode = WAL');
  const { answerBytesMax = ANSWER_BYTES_MAX } = options;
  const streams = new Streams(
    () => new HranaStream({ client, answerBytesMax, synchronous: isStrong ? 2 : 1 }),
  );
  const state = { requests: 0, port };
  let lastPipeline: Promise<unknown> = Promise.resolve();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (authToken !== undefined && request.headers.authorization !== `Bearer ${authToken}`)
      return send(response, 401, { message: 'Unauthorized', code: 'AUTH_JWT_INVALID' });
    if (request.method !== 'POST' || request.url !== '/v2/pipeline')
      return send(response, request.url === '/v2' ? 200 : 404, {});
    const text = await textOf(request);
    if (server.isSilent) return;
    if (server.distanceMs > 0) await delay(server.distanceMs);
    await server.onItsWay?.(text);
    // A lone surrogate is no character: Rust's JSON reader refuses it.
    if (LONE_SURROGATE.test(text)) return send(response, 400, 'Could not deserialize the request');
    const { baton, requests } = JSON.parse(text) as Pipeline;
    const stream = streams.take(baton ?? null);
    if (stream === null) return send(response, 400, 'Received an invalid baton');
    // One connection, so one pipeline after the other.
    const done = lastPipeline.then(async () => {
      await server.beforePipeline?.();
      state.requests += 1;
      return stream.runPipeline(requests);
    });
    lastPipeline = done.catch(() => undefined);
    const results = await done;
    return send(response, 200, { baton: streams.giveBack(stream), base_url: null, results });
  };
  const sockets = new Set<Socket>();
  const listener = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      send(response, 500, { message: String(error), code: 'INTERNAL' }),
    );
  });
  listener.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(state.port, '127.0.0.1', () => {
        state.port = (listener.address() as AddressInfo).port;
        resolve();
      });
    });
  const leave = () =>
    new Promise<void>((resolve) => {
      listener.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      streams.forgetAll();
    });
  await listen();
  const server: LibsqlServer = {
    url: `http://127.0.0.1:${state.port}`,
    get requests() {
      return state.requests;
    },
    get streams() {
      return streams.opened;
    },
    distanceMs,
    isSilent: false,
    onItsWay: null,
    beforePipeline: null,
    leave,
    comeBack: listen,
    execute: (sql) => client.execute(sql),
    async close() {
      await leave();
      await lastPipeline;
      client.close();
    },
  };
  return server;
}

/** The streams that are open between two requests, each by the baton that its next request has to show. */
class Streams {
  readonly #open: () => HranaStream;
  readonly #waiting = new Map<string, { stream: HranaStream; idleSinceMs: number }>();
  #batons = 0;
  opened = 0;

  constructor(open: () => HranaStream) {
    this.#open = open;
  }

  /** A new stream if there is no baton; null if the baton is invalid or expired. */
  take(baton: string | null): HranaStream | null {
    if (baton === null) {
      this.opened += 1;
      return this.#open();
    }
    const waiting = this.#waiting.get(baton);
    this.#waiting.delete(baton);
    const isGood =
      waiting !== undefined && performance.now() - waiting.idleSinceMs < STREAM_IDLE_MS;
    return isGood ? waiting.stream : null;
  }

  /** The next baton; null for a stream that its client has closed. */
  giveBack(stream: HranaStream): string | null {
    if (stream.isClosed) return null;
    this.#batons += 1;
    const baton = `baton-${this.#batons}`;
    this.#waiting.set(baton, { stream, idleSinceMs: performance.now() });
    return baton;
  }

  forgetAll(): void {
    this.#waiting.clear();
  }
}

/** Half of a surrogate pair, as `JSON.stringify` spells it. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/i;

function send(response: ServerResponse, status: number, body: object | string): void {
  const isText = typeof body === 'string';
  response
    .writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' })
    .end(isText ? body : JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
