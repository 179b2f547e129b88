import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, type ErrorCode, type ErrorDetails } from '../domain/errors.ts';
import type { Exchange } from '../operations/define-operation.ts';
import { jsonLine, parseJsonLines } from './json-lines.ts';

type Line =
  | { readonly event: unknown }
  | { readonly result: unknown }
  | {
      readonly error: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details: ErrorDetails;
      };
    };

/** Nothing listens on the socket: no service is running. */
class NotRunning extends Error {
  override readonly name = 'NotRunning';
}

/**
 * Runs an operation in the running service and resolves with its result. Rejects with `NotRunning`,
 * or with the `AppError` that the operation threw.
 */
export async function callOperator(
  path: string,
  operation: string,
  input: unknown,
  exchange: Exchange,
): Promise<unknown> {
  const request = httpRequest({ socketPath: path, method: 'POST', path: `/${operation}` });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', (cause) => reject(isAbsent(cause) ? new NotRunning() : lost(cause)));
  });
  // A refused connection rejects both promises; only one error is reported.
  const sent = pipeline(Readable.from(lines(input, exchange.lines)), request).catch(
    () => undefined,
  );
  const response = await answered;
  for await (const line of parseJsonLines(response) as AsyncIterable<Line>) {
    if ('event' in line) await exchange.emit(line.event);
    else if ('result' in line) {
      await sent;
      return line.result;
    } else throw new AppError(line.error.code, line.error.message, line.error.details);
  }
  throw lost(undefined);
}

async function* lines(input: unknown, further: AsyncIterable<string>): AsyncGenerator<string> {
  yield jsonLine(input);
  yield* further;
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED', 'FailedToOpenSocket', 'ConnectionRefused'].includes(
    String((error as { code?: unknown }).code),
  );
}

function lost(cause: unknown): AppError {
  return new AppError('unavailable', 'The running service stopped before it answered.', {
    cause,
  });
}
