import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '../domain/errors.ts';
import { blocksOf } from '../operations/imports/json-blocks.ts';
import { runOperation } from '../operations/run-operation.ts';
import type { UpkeepServices } from '../operations/upkeep/upkeep-services.ts';
import { jsonLine } from './json-lines.ts';
import { OPERATIONS } from './operation-table.ts';

/**
 * Takes operators' commands over a socket in the data folder, which only its owner can reach. A
 * request is `POST /<operation>`: the first line holds the input, further lines hold what the
 * operation reads. The response has `{event}` lines and a final `{result}` or `{error}`. The caller
 * holds the folder's lock, so an existing socket is a stale one.
 */
export async function listenForOperators(
  services: UpkeepServices,
  path: string,
): Promise<{ close(): void }> {
  // No time limit: a large catalogue takes longer than the default of five minutes.
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    void answer(services, request, response);
  });
  if (process.platform !== 'win32') rmSync(path, { force: true });
  server.listen(path);
  await once(server, 'listening');
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  services: UpkeepServices,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  const send = (line: unknown): void | Promise<void> => {
    if (response.write(jsonLine(line)) || response.destroyed) return;
    return once(response, 'drain', { signal: closed.signal }).then(
      () => undefined,
      () => undefined,
    );
  };
  try {
    const name = (request.url ?? '/').slice(1);
    const operation = OPERATIONS.get(name);
    if (operation === undefined)
      throw new AppError(
        'not_found',
        `The running service has no operation "${name}": is it an older version?`,
      );
    const lines = blocksOf(request);
    const first = await lines.next();
    const input: unknown = JSON.parse(first.value ?? 'null');
    const result = await runOperation(services, operation, input, {
      lines,
      emit: (event) => send({ event }),
    });
    void send({ result });
  } catch (error) {
    if (!(error instanceof AppError))
      services.platform.log('error', 'operation_failed', { cause: String(error) });
    const { code, message, details } =
      error instanceof AppError
        ? error
        : new AppError('internal', 'The service failed: see its log.');
    void send({ error: { code, message, details } });
  }
  response.end();
}
