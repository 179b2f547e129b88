import { AppError } from '../../domain/errors.ts';
import type { UploadSource } from '../pushes/upload-queue.ts';

/** Drafts of one organization; the oldest makes way for a new one. */
const PER_ORGANIZATION_MAX = 4;

/** Drafts of all organizations: files of 200 MiB each. */
const IN_ALL_MAX = 16;

/** A catalogue that an operator examines before importing it. */
export interface Draft {
  readonly id: string;
  readonly organizationKey: number;
  /** The file's name, or the address. */
  readonly name: string;
  /** Null for a file. */
  readonly url: string | null;
  readonly source: UploadSource;
  /** The source for another holder, such as an import. */
  share(): UploadSource;
}

/** The drafts of this process. They are kept until they make way. */
export class Drafts implements AsyncDisposable {
  readonly #drafts = new Map<string, Draft>();

  async add(draft: Draft): Promise<void> {
    this.#drafts.set(draft.id, draft);
    const own = [...this.#drafts.values()].filter(
      ({ organizationKey }) => organizationKey === draft.organizationKey,
    );
    if (own.length > PER_ORGANIZATION_MAX) await this.#remove(own[0]!);
    if (this.#drafts.size > IN_ALL_MAX) await this.#remove([...this.#drafts.values()][0]!);
  }

  /** Throws `not_found`. */
  find(organizationKey: number, id: string): Draft {
    const draft = this.#drafts.get(id);
    if (draft === undefined || draft.organizationKey !== organizationKey)
      throw new AppError('not_found', 'The file is no longer here: choose it again.');
    return draft;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const draft of this.#drafts.values()) await this.#remove(draft);
  }

  async #remove(draft: Draft): Promise<void> {
    this.#drafts.delete(draft.id);
    await draft.source[Symbol.asyncDispose]();
  }
}
