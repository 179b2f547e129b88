import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineOperation } from '../define-operation.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** A copy that takes longer has been given up: meanwhile the log grows with every write. */
const HOLD_MS_MAX = 10 * 60_000;

/**
 * Lets another process copy the database's files: while its request lasts nothing is moved from the
 * write-ahead log into the database, though writes go on. Says so with an event and waits for the
 * request to end, however it ends, but not for ever: throws `unavailable` after ten minutes. Says
 * "waiting" first where another process is copying. No second connection is opened: SQLite before 3.51.3 may lose a
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
        if (isLate) throw new AppError('unavailable', 'The copy took too long: it was given up.');
        return { held: true };
      }),
    );
  },
});
