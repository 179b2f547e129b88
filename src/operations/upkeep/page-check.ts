import { AppError } from '../../domain/errors.ts';
import type { Platform } from '../../platform.ts';
import { checkHeldFile, type Database } from '../../storage/engine/database.ts';
import type { Mutex } from '../instances/mutex.ts';

/** The internal command with which `PageCheck` checks a file. */
export const CHECK_PAGES = 'check-pages';

/** Its exit code for a damaged file. */
const DAMAGED = 74;

export interface PageCheckOptions {
  readonly db: Database;
  readonly platform: Platform;
  /** Absolute path of the database. */
  readonly file: string;
  /** Holds checkpoints while the file is read. */
  readonly copyMutex: Mutex;
  readonly stopping: AbortSignal;
}

/**
 * Checks the pages of a database in the background if it was too large to check when it was opened. The
 * client is synchronous, so the check would block the event loop here. It therefore runs in its own
 * process, which opens the file as immutable while this process holds checkpoints. The WAL-reset bug
 * does not apply to that second connection, because it takes no lock and writes nothing.
 */
export class PageCheck {
  readonly #options: PageCheckOptions;
  readonly #damage = Promise.withResolvers<never>();
  #state: 'due' | 'done' | 'damaged';

  constructor(options: PageCheckOptions) {
    this.#options = options;
    this.#state = options.db.pages === 'checked' ? 'done' : 'due';
    this.#damage.promise.catch(() => undefined);
  }

  /** Whether requests may come: the check has found no damage, or an earlier one has and is repeated. */
  get isDone(): boolean {
    return (
      this.#state === 'done' || (this.#state === 'due' && this.#options.db.pages === 'vouched')
    );
  }

  /** Rejects with `damaged` as soon as the check finds a damaged page. */
  get damage(): Promise<never> {
    return this.#damage.promise;
  }

  /** Runs the check if it is due. A check that cannot run is logged and blocks nothing. */
  async run(): Promise<void> {
    if (this.#state !== 'due') return;
    const { db, platform, file, copyMutex, stopping } = this.#options;
    const { exitCode, stderr } = await copyMutex.run(() =>
      db.withoutCheckpoints(() => platform.runSelf([CHECK_PAGES, file], stopping)),
    );
    if (stopping.aborted) return;
    if (exitCode === DAMAGED) {
      const message = `The database ${file} is damaged: stop the service and restore a backup.`;
      platform.log('error', 'database_damaged', { file });
      this.#state = 'damaged';
      return this.#damage.reject(new AppError('damaged', message));
    }
    if (exitCode === 0) db.vouch();
    else platform.log('error', 'page_check_failed', { exitCode, stderr });
    this.#state = 'done';
  }
}

/** Runs in the separate process. Throws `damaged`. */
export function checkPages(file: string): Promise<void> {
  return checkHeldFile(file);
}
