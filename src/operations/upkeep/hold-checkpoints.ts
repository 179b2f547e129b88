import Type from 'typebox';
import { defineOperation } from '../define-operation.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/**
 * Lets another process copy the database's files: while its request lasts nothing is moved from the
 * write-ahead log into the database, though writes go on. Says so with an event and waits for the
 * request to end, however it ends. No second connection is opened: SQLite before 3.51.3 may lose a
 * committed write when one connection checkpoints while another writes.
 */
export const holdCheckpoints = defineOperation({
  name: 'database.hold',
  input: Type.Object({}),
  run({ db, copyMutex }: UpkeepServices, _input, { lines, emit }): Promise<{ held: true }> {
    return copyMutex.run(() =>
      db.withoutCheckpoints(async () => {
        emit('held');
        await Array.fromAsync(lines);
        return { held: true };
      }),
    );
  },
});
