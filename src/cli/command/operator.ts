import { once } from 'node:events';
import { connect } from 'node:net';
import type { Static, TObject } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import {
  type Exchange,
  type OperatorOperation,
  SILENT,
} from '../../operations/define-operation.ts';
import { runOperation } from '../../operations/run-operation.ts';
import { callOperator } from '../../operator/operator-client.ts';
import { socketPath } from '../../operator/socket-path.ts';
import { systemPlatform } from '../../platform.ts';
import { openServices } from '../../services.ts';
import { type Cli, type CommonOptions, configOf } from './cli.ts';
import { isForbidden, permissionDenied } from './failure.ts';

export interface OperateOptions {
  readonly exchange?: Exchange;
  /** Whether the operation needs the embedding model, which takes time to load. */
  readonly needsModel?: boolean;
  /** Fails unless a service is running, for operations that make no sense without one. */
  readonly onlyRunning?: boolean;
}

/**
 * Runs an operation in the service that owns the data folder, or in this process if none is
 * running. Only one process owns the database, so a command never opens it beside a running
 * service.
 */
export async function operate<Input extends TObject, Output>(
  cli: Cli,
  options: CommonOptions,
  operation: OperatorOperation<Input, Output>,
  input: Static<Input>,
  { exchange = SILENT, needsModel = false, onlyRunning = false }: OperateOptions = {},
): Promise<Output> {
  const config = configOf(cli, options);
  const path = socketPath(config.dataFolder);
  if (await isListening(path))
    return (await callOperator(path, operation.name, input, exchange)) as Output;
  if (onlyRunning)
    throw new AppError(
      'unavailable',
      'No service is running on this data folder: start it with "vitrine serve".',
    );
  const services = await openServices({
    config,
    platform: systemPlatform('error'),
    create: false,
    isAlone: true,
    note: cli.note,
    ...(needsModel ? {} : { embedder: null }),
  });
  try {
    // The budget of a search is for a service whose model is loaded.
    if (needsModel) await services.embeddings.load();
    const output = await runOperation(services, operation, input, exchange);
    // The next command and the service can use the index that a search has built. A failure to write it costs nothing else.
    while (await services.indexes.keepNext().catch(() => false));
    return output;
  } finally {
    await services.close();
  }
}

/** Where the service that takes commands there listens; null if it is too old to say. */
export async function findServiceUrl(path: string): Promise<string | null> {
  const asked = callOperator(path, 'service.address', {}, SILENT) as Promise<{
    url: string | null;
  }>;
  return (await asked.catch(() => ({ url: null }))).url;
}

/**
 * Whether a running service takes commands there. Throws `forbidden` if this user may not connect.
 */
export async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (isForbidden(error))
      throw new AppError('forbidden', permissionDenied(path), { cause: error });
    return false;
  } finally {
    socket.destroy();
  }
}
