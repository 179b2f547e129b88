import { type Config, dataFiles } from '../../config.ts';
import { copyHeldDatabase, copyStoppedDatabase } from '../../operations/upkeep/back-up-database.ts';
import { holdCheckpoints } from '../../operations/upkeep/hold-checkpoints.ts';
import { onlyForFile } from '../../operations/upkeep/restore-database.ts';
import { callOperator } from '../../operator/operator-client.ts';
import { socketPath } from '../../operator/socket-path.ts';
import { isListening } from '../command/operator.ts';

/**
 * Copies the database to `copy` in this process, whether a service runs on it or not, and never opens
 * it: a running service is asked to leave its file alone meanwhile. Throws what the service throws,
 * also when it stops midway: then the copy is of no use. Throws `invalid_input` for data on a server.
 */
export async function copyDatabase(
  { dataFolder, databaseUrl }: Config,
  copy: string,
  onWaiting: () => void = () => undefined,
): Promise<void> {
  if (databaseUrl !== null) throw onlyForFile();
  const { database, lock } = dataFiles(dataFolder);
  const path = socketPath(dataFolder);
  if (!(await isListening(path))) return copyStoppedDatabase({ database, lock }, copy);
  const held = Promise.withResolvers<void>();
  const copied = Promise.withResolvers<void>();
  const lines = (async function* () {
    await copied.promise;
    yield 'copied';
  })();
  const emit = (event: unknown) => (event === 'waiting' ? onWaiting() : held.resolve());
  const answered = callOperator(path, holdCheckpoints.name, {}, { lines, emit });
  await Promise.race([held.promise, answered]);
  try {
    await copyHeldDatabase(database, copy);
  } finally {
    copied.resolve();
    await answered;
  }
}
