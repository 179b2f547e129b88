import { AppError } from '../../domain/errors.ts';
import type { Platform } from '../../platform.ts';
import { checkHeldFile, type Database } from '../../storage/engine/database.ts';
import type { Mutex } from '../instances/mutex.ts';

/** The command that checks one file, for `PageCheck` alone. */
export const CHECK_PAGES = 'check-pages';

/** Its exit code for a file that is damaged. */
const DAMAGED = 74;

export interface PageCheckOptions {
  readonly db: Database;
  readonly platform: Platform;
  /** Absolute path of the database. */
  readonly file: string;
  /** The holder of the checkpoint hold. */
  readonly copyMutex: Mutex;
  readonly stopping: AbortSignal;
}

/**
 * Checks the pages of a database that was too large for that at its opening, while it serves. The
 * client is synchronous, so the check would stop the event loop here: it runs in a process of its own,
 * which reads the file as an immutable one while this process holds its checkpoints. That is no
 * second connection in the sense of the WAL-reset bug: it takes no lock, and writes nothing.
 */
export class PageCheck {
  readonly #options: PageCheckOptions;
  readonly #damage = Promise.withResolvers<never>();
  #state: 'due' | 'done' | 'damaged';

  constructor(options: PageCheckOptions) {
    this.#options = options;
    this.#state = options.db.isChecked ? 'done' : 'due';
    this.#damage.promise.catch(() => undefined);
  }

  /** Whether nothing is known to be wrong with any page. */
  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Rejects with `damaged` as soon as a page is known to be. */
  get damage(): Promise<never> {
    return this.#damage.promise;
  }

  /** Checks what has not been checked. A check that cannot be made is logged, and keeps nobody waiting. */
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
    if (exitCode !== 0) platform.log('error', 'page_check_failed', { exitCode, stderr });
    this.#state = 'done';
  }
}

/** What the process of its own does. Throws `damaged`. */
export function checkPages(file: string): Promise<void> {
  return checkHeldFile(file);
}
