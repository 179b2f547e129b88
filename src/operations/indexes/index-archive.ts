import type { Directory } from '../../directory.ts';
import type { Platform } from '../../platform.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { deleteMeta, deleteMetaOf, findMeta, saveMeta } from '../../storage/meta.ts';
import type { EmbeddingModel } from './embeddings.ts';
import type { IndexFiles, IndexOrigin, IndexTokens, Refusal, RefusedFile } from './index-files.ts';
import type { Layers } from './layers.ts';
import { isSameText, onlyImportsSince, type ShopStates } from './loaded-index.ts';
import type { Slices } from './slices.ts';

const TOKEN_BYTES = 16;

/** The beginning of the names under which tokens are stored, with the organization's id. */
const TOKENS = 'index_file:';

/** After an upgrade, or a change of the model. */
const EXPECTED: ReadonlySet<Refusal> = new Set(['of another version', 'of another model']);

export interface IndexArchiveOptions {
  readonly db: Database;
  readonly platform: Platform;
  readonly directory: Directory;
  readonly files: IndexFiles;
}

/** The most that the files of an organization are written, on average: 4 MB a second. */
const BYTES_PER_MS = 4000;

/** What was last written or read for an organization. */
interface Kept {
  /** Another one once the base has the vectors of another model. */
  readonly baseId: symbol;
  readonly shops: ShopStates;
  /** Null if the last write failed. */
  readonly tokens: IndexTokens | null;
  /** Whether each document had its vector, and each of the base. */
  readonly isComplete: boolean;
  readonly isBaseComplete: boolean;
  /** On the monotonic clock: when it may be written again. */
  readonly againMs: number;
}

/** An index as it was kept, and the state of the shops that it holds. */
export interface KeptLayers {
  readonly layers: Layers;
  readonly shops: ShopStates;
}

/** An index to keep, and the model of its vectors. */
export interface KeepableLayers extends KeptLayers {
  readonly model: EmbeddingModel | null;
}

/** The catalogue whose index is looked for. */
export interface KeptTarget {
  readonly organizationKey: number;
  readonly shops: ShopStates;
  readonly model: EmbeddingModel | null;
}

/**
 * Keeps each index in a file, so that a restart reads it instead of building it, and what imports
 * change of it in a second one, which is small. If the catalogue has changed since, the index is then
 * brought up to date as after an import.
 *
 * A file belongs to the history of a database: each has a random token, which is committed to the
 * database once the file is whole. So a file of another database, or from after the moment to which
 * a backup was restored, has a token that the database does not know.
 */
export class IndexArchive {
  readonly #options: IndexArchiveOptions;
  readonly #kept = new Map<number, Kept>();
  #isSwept = false;

  constructor(options: IndexArchiveOptions) {
    this.#options = options;
  }

  /** The kept index, if only imports and pushes have changed the catalogue since then; else null. */
  async find(
    { organizationKey, shops, model }: KeptTarget,
    slices: Slices,
  ): Promise<KeptLayers | null> {
    const { db, files } = this.#options;
    const file = await files.read(this.#originFor(organizationKey, model), {
      slices,
      isKnown: async (token) => (await findMeta(db, nameOf(token))) !== null,
      onRefused: (refused) => this.#noteRefused(organizationKey, refused),
    });
    if (file === null || !onlyImportsSince(file.shops, shops)) return null;
    const { layers, tokens } = file;
    this.#kept.set(organizationKey, { ...stateOf(file), tokens, againMs: 0 });
    return { layers, shops: file.shops };
  }

  /** Operators learn why a start took long, and of a disk that damages files. */
  #noteRefused(organizationKey: number, { file, reason }: RefusedFile): void {
    const { platform, directory } = this.#options;
    platform.log(EXPECTED.has(reason) ? 'info' : 'warn', 'index_file_refused', {
      organization: directory.organization(organizationKey).slug,
      ...{ file, reason },
      hint: 'it is not used: the index is built from the database, and the file is written anew',
    });
  }

  /**
   * Whether the file holds this index. Vectors are no reason to write it again until each document has its
   * own.
   */
  isUpToDate(organizationKey: number, index: KeptLayers): boolean {
    const kept = this.#kept.get(organizationKey);
    return kept !== undefined && isUpToDate(kept, stateOf(index));
  }

  /** Writes the index unless it was written a short time ago. Throws the error of a write. */
  async keep(organizationKey: number, index: KeepableLayers): Promise<boolean> {
    const { db, platform, files } = this.#options;
    const kept = this.#kept.get(organizationKey);
    const state = stateOf(index);
    if (kept !== undefined && platform.monotonicMs() < kept.againMs) return false;
    // Before it is written: what cannot be written is tried again with the next change.
    this.#kept.set(organizationKey, { ...state, tokens: null, againMs: 0 });
    await this.#sweep();
    const token = Buffer.from(platform.randomBytes(TOKEN_BYTES)).toString('hex');
    const whole = kept === undefined ? null : wholeToChange(kept, state);
    const tokens = whole === null ? { whole: token, changes: null } : { whole, changes: token };
    const origin = this.#originFor(organizationKey, index.model);
    const bytes = await files.write(index.layers, { origin, tokens, shops: index.shops });
    await db.write([
      ...this.#forgetReplaced(kept?.tokens ?? null, { tokens, origin }),
      saveMeta(db, nameOf(token), origin.organization),
    ]);
    const againMs = platform.monotonicMs() + bytes / BYTES_PER_MS;
    this.#kept.set(organizationKey, { ...state, tokens, againMs });
    return true;
  }

  /** Deletes the files of an organization that was deleted. */
  async forget(organizationKey: number): Promise<void> {
    const { db, directory, files } = this.#options;
    const { id } = directory.organization(organizationKey);
    this.#kept.delete(organizationKey);
    await files.remove(id);
    await db.write([deleteMetaOf(db, TOKENS, id)]);
  }

  /**
   * Deletes, once, the files of organizations that are not in the database and those that a killed process left.
   */
  async #sweep(): Promise<void> {
    if (this.#isSwept) return;
    const { directory, files } = this.#options;
    await files.keepOnly(new Set(directory.organizations().map(({ id }) => id)));
    this.#isSwept = true;
  }

  /**
   * Deletes the tokens of files that a new one replaces: all of the organization, if it is not known which they
   * are. On a server, those may be of another instance, whose files are in another folder.
   */
  #forgetReplaced(
    former: IndexTokens | null,
    { tokens, origin }: { readonly tokens: IndexTokens; readonly origin: IndexOrigin },
  ): Statement[] {
    const { db } = this.#options;
    if (former === null)
      return db.instance === null ? [deleteMetaOf(db, TOKENS, origin.organization)] : [];
    const isReplaced = (token: string | null) => token !== null && token !== tokens.whole;
    return [former.whole, former.changes]
      .filter(isReplaced)
      .map((token) => deleteMeta(db, nameOf(token!)));
  }

  #originFor(organizationKey: number, model: EmbeddingModel | null): IndexOrigin {
    return {
      organization: this.#options.directory.organization(organizationKey).id,
      model: model && { key: model.key, tag: model.tag },
    };
  }
}

function nameOf(token: string): string {
  return TOKENS + token;
}

type KeptState = Omit<Kept, 'tokens' | 'againMs'>;

function stateOf({ layers: { base, overlay }, shops }: KeptLayers): KeptState {
  const isBaseComplete = base.index.lackingVectors(1).length === 0;
  const isComplete = isBaseComplete && (overlay?.index.lackingVectors(1).length ?? 0) === 0;
  return { baseId: base.id, shops, isComplete, isBaseComplete };
}

function isUpToDate(kept: Kept, now: KeptState): boolean {
  if (kept.baseId !== now.baseId || !isSameText(kept.shops, now.shops)) return false;
  return kept.isComplete || !now.isComplete;
}

/** The token of the whole file if its base is still as good; else null. */
function wholeToChange(kept: Kept, now: KeptState): string | null {
  if (kept.tokens === null || kept.baseId !== now.baseId) return null;
  return kept.isBaseComplete || !now.isBaseComplete ? kept.tokens.whole : null;
}
