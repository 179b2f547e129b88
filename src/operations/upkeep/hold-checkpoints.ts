import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineOperation } from '../define-operation.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** The longest time that a copy may take. The log grows with every write until the copy ends. */
const HOLD_MS_MAX = 10 * 60_000;

/**
 * Lets another process copy the database files. For the duration of its request, writes continue but
 * no checkpoint moves them from the write-ahead log into the database. Sends an event when the copy may
 * start, preceded by "waiting" if another process is copying. Throws `unavailable` if the request
 * lasts longer than ten minutes. Opens no second connection, because SQLite before 3.51.3 may lose a
 * committed write when one connection checkpoints while another writes.
 */
export const holdCheckpoints = defineOperation({
  name: 'database.hold',
  input: Type.Object({}),
  run(services: UpkeepServices, _input, { lines, emit }): Promise<{ held: true }> {
    const { db, platform, copyMutex } = services;
    if (copyMutex.isBusy) emit('waiting');
    return copyMutex.run(() =>
      db.withoutCheckpoints(async () => {
        emit('held');
        const ended = new AbortController();
        const isLate = await Promise.race([
          Array.fromAsync(lines).then(() => false),
          platform.sleep(HOLD_MS_MAX, ended.signal).then(() => true),
        ]);
        ended.abort();
        if (isLate) throw new AppError('unavailable', 'The copy took too long and was abandoned.');
        return { held: true };
      }),
    );
  },
});
