import { type Config, dataFiles } from '../../config.ts';
import { copyHeldDatabase, copyStoppedDatabase } from '../../operations/upkeep/back-up-database.ts';
import { holdCheckpoints } from '../../operations/upkeep/hold-checkpoints.ts';
import { onlyForFile } from '../../operations/upkeep/restore-database.ts';
import { callOperator } from '../../operator/operator-client.ts';
import { socketPath } from '../../operator/socket-path.ts';
import { isListening } from '../command/operator.ts';

/**
 * Copies the database file to `copy` without opening the database. Asks a running service, if there
 * is one, to leave the file alone meanwhile. Throws what the service throws, also if it stops
 * midway; the copy is then unusable. Throws `invalid_input` for data on a database server.
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
