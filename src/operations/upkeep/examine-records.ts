import type { CatalogItem } from '../../domain/catalog.ts';
import { contentHash } from '../../domain/content-hash.ts';
import type { Platform } from '../../platform.ts';
import { readTexts } from '../../search/index/documents.ts';
import { insertAuditEntry } from '../../storage/audit-log.ts';
import {
  type DamagedRecord,
  findItemBytes,
  findPassageBytes,
  findQuarantined,
  findSuspectHits,
  quarantineHit,
  quarantineItem,
  type StoredBytes,
} from '../../storage/catalog/quarantine.ts';
import { findRevisions } from '../../storage/catalog/revisions.ts';
import { findVectorProgress, forgetVector } from '../../storage/catalog/row-checksums.ts';
import type { Database } from '../../storage/engine/database.ts';
import type { Statement } from '../../storage/engine/statement.ts';
import { findKeyRange } from '../../storage/hits.ts';
import { changeCatalogue } from '../instances/shared-work.ts';
import { findDamagedRows, isStillDamaged } from './examine-rows.ts';
import { paced, SHARE } from './paced.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/** Items and hits read per slice: below a millisecond each, because a search may wait for it. */
const ITEMS_AT_ONCE = 50;
const HITS_AT_ONCE = 200;

/** The share of the time that an examination takes while requests come in: each may wait for a slice. */
const SHARE_BESIDE_REQUESTS = 1 / 50;

/** Interval between full examinations. */
const EVERY_MS = 24 * 3_600_000;

/** Catalogues are examined when they have not changed for so long. */
const SETTLED_MS = 60_000;

const HINTS: Readonly<Record<DamagedRecord['kind'], string>> = {
  item: 'it is in quarantine: import the catalogue again',
  hit: 'it is in quarantine: its counts stay',
  vector: 'the embedding was removed and is made again',
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Makes the task that looks for records whose bytes have changed since they were written. It runs once the
 * catalogues have loaded after a start, then once a day, and whenever a read finds a damaged text. It also
 * runs a minute after the last change of a catalogue or its vectors, to give the new rows their checksums. It
 * moves damaged records into quarantine, so that one flipped bit costs one record. The rest is still served, and
 * an import of the same catalogue restores the item. It takes a tenth of the time, so that a million items take
 * minutes, and a fiftieth while requests come in. After a damaged text it always takes a tenth, because the
 * load of that catalogue waits until the examination has ended.
 */
export function examineRecords(services: UpkeepServices): () => Promise<boolean> {
  const { db, platform, indexes, ownTraffic, stopping } = services;
  let examinedAtMs = Number.NEGATIVE_INFINITY;
  let damagedTexts = 0;
  const changes = new Changes(db);
  return async () => {
    // A libSQL server is responsible for its own bytes.
    if (db.instance !== null) return false;
    const hasMetDamage = db.activity.damagedTexts !== damagedTexts;
    // A catalogue with a damaged text is not in memory until the record is put aside.
    if (indexes.isLoading && !hasMetDamage) return false;
    const nowMs = platform.monotonicMs();
    const isDue = nowMs - examinedAtMs >= EVERY_MS || hasMetDamage;
    if (isDue) await changes.forget();
    else if (!(await changes.haveSettled(nowMs))) return false;
    let noted = ownTraffic.notedCount;
    const share = () => {
      const isAsked = ownTraffic.notedCount !== noted;
      noted = ownTraffic.notedCount;
      return isAsked && !hasMetDamage ? SHARE_BESIDE_REQUESTS : SHARE;
    };
    const examined = { db, platform: { yield: paced(platform, stopping, share) } };
    for await (const damaged of findDamaged(examined, { seal: true }))
      await putAside(services, damaged);
    examinedAtMs = platform.monotonicMs();
    damagedTexts = db.activity.damagedTexts;
    return false;
  };
}

/** Tells when catalogues and vectors have changed and then stayed the same for a while. */
class Changes {
  readonly #db: Database;
  #latest = '';
  #isPending = false;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Database) {
    this.#db = db;
  }

  /** What has changed until now counts no longer. */
  async forget(): Promise<void> {
    this.#latest = await this.#state();
    this.#isPending = false;
  }

  /** True once after each period of changes. */
  async haveSettled(nowMs: number): Promise<boolean> {
    if (nowMs - this.#askedAtMs < SETTLED_MS) return false;
    this.#askedAtMs = nowMs;
    const state = await this.#state();
    const hasSettled = this.#isPending && state === this.#latest;
    this.#isPending = state !== this.#latest;
    this.#latest = state;
    return hasSettled;
  }

  async #state(): Promise<string> {
    const { directory } = await findRevisions(this.#db);
    return `${directory} ${await findVectorProgress(this.#db)}`;
  }
}

interface Examined {
  readonly db: Database;
  readonly platform: Pick<Platform, 'yield'>;
}

/**
 * Every damaged item and hit. Reads in slices and yields to the event loop in between. Changes nothing
 * but, with `seal`, gives rows without a checksum one.
 */
export async function* findDamaged(
  examined: Examined,
  { seal }: { readonly seal: boolean } = { seal: false },
): AsyncGenerator<DamagedRecord> {
  const found = new Set<number>();
  for await (const damaged of findDamagedItems(examined)) {
    found.add(damaged.key);
    yield damaged;
  }
  yield* findDamagedHits(examined.db, examined.platform);
  // Last, so that no damaged text gets a checksum.
  for await (const damaged of findDamagedRows(examined, { seal }))
    if (!found.has(damaged.key)) yield damaged;
}

/** Items whose body or passage is not what was imported. */
async function* findDamagedItems({ db, platform }: Examined): AsyncGenerator<DamagedRecord> {
  for (let after = 0; ; ) {
    const items = await findItemBytes(db, { after, limit: ITEMS_AT_ONCE });
    yield* believable(items, (item) => faultOf(item));
    if (items.length < ITEMS_AT_ONCE) break;
    after = items.at(-1)!.key;
    await platform.yield();
  }
  for (let after = 0; ; ) {
    const passages = await findPassageBytes(db, { after, limit: ITEMS_AT_ONCE });
    yield* believable(passages, (item) => faultOfPassage(item, item.passage));
    if (passages.length < ITEMS_AT_ONCE) break;
    after = passages.at(-1)!.documentKey;
    await platform.yield();
  }
}

/** Counts of damaged records that are still in place and of records in quarantine. */
export interface DamageCounts {
  readonly damaged: number;
  readonly quarantined: number;
}

/** For a command, which has no other requests to serve. */
export async function countDamage(db: Database): Promise<DamageCounts> {
  let damaged = 0;
  for await (const _ of findDamaged({ db, platform: { yield: async () => undefined } }))
    damaged += 1;
  return { damaged, quarantined: (await findQuarantined(db)).count };
}

/**
 * The damaged ones, if they are few. If most of a slice does not match, another version made the
 * digests, so the mismatch proves no damage.
 */
function believable<Item extends StoredBytes>(
  items: readonly Item[],
  faultIn: (item: Item) => string | null,
): DamagedRecord[] {
  const faulty = items.flatMap((item) => {
    const reason = faultIn(item);
    return reason === null ? [] : [damagedItem(item, reason)];
  });
  const isOfOtherVersion = items.length > 10 && faulty.length > items.length / 2;
  return isOfOtherVersion ? [] : faulty;
}

function damagedItem(item: StoredBytes, reason: string): DamagedRecord {
  const { key, organizationKey, shopKey, externalId, content } = item;
  const named = { key, organizationKey, shopKey, record: externalId };
  return { kind: 'item', ...named, reason, content: new Uint8Array(content), row: null };
}

function faultOf({ content, contentHash: digest }: StoredBytes): string | null {
  const text = textOf(content);
  if (text === null) return 'its text is not UTF-8';
  return contentHash(text) === digest ? null : 'its text is not what was imported';
}

function faultOfPassage(item: StoredBytes, passage: string): string | null {
  // An earlier check reports faults in the body.
  if (faultOf(item) !== null) return null;
  const whole = JSON.parse(utf8.decode(item.content)) as CatalogItem;
  const isWhole = readTexts(whole).some((read) => read.passage === passage);
  return isWhole ? null : 'one of its passages is not what was imported';
}

async function* findDamagedHits(
  db: Database,
  { yield: pause }: Examined['platform'],
): AsyncGenerator<DamagedRecord> {
  const { first, last } = await findKeyRange(db);
  for (let after = first - 1; after < last; after += HITS_AT_ONCE) {
    for (const hit of await findSuspectHits(db, { after, span: HITS_AT_ONCE })) {
      const { key, organizationKey, content, isJson } = hit;
      const reason = isJson === 0 ? 'it is not JSON' : 'it is not UTF-8';
      if (isJson === 1 && textOf(content) !== null) continue;
      const named = { key, organizationKey, shopKey: null, record: String(key) };
      yield { kind: 'hit', ...named, reason, content: new Uint8Array(content), row: null };
    }
    await pause();
  }
}

function textOf(bytes: ArrayBuffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

async function putAside(services: UpkeepServices, damaged: DamagedRecord): Promise<void> {
  const { db, platform, directory } = services;
  const { kind, record, reason, organizationKey } = damaged;
  const { id, slug } = directory.organization(organizationKey);
  const at = platform.now();
  const details = { kind, record, reason };
  const isPutAside = await changeCatalogue(services, organizationKey, async () => {
    if (kind !== 'hit' && !(await isStillThere(db, damaged))) return false;
    await db.write([
      ...removal(db, damaged, at),
      insertAuditEntry(db, { at, organizationId: id, event: 'record.quarantined', details }),
    ]);
    return true;
  });
  if (!isPutAside) return;
  platform.log('error', 'record_damaged', {
    ...details,
    organization: slug,
    hint: HINTS[kind],
  });
  if (kind !== 'hit') await directory.reload();
}

function removal(db: Database, damaged: DamagedRecord, at: number): Statement[] {
  switch (damaged.kind) {
    case 'item':
      return quarantineItem(db, damaged, at);
    case 'hit':
      return quarantineHit(db, damaged, at);
    case 'vector':
      return [forgetVector(damaged.row!.key)];
  }
}

/** An import may have removed the item in the meantime and reused its key. */
async function isStillThere(db: Database, damaged: DamagedRecord): Promise<boolean> {
  const { key, content, row } = damaged;
  if (row !== null && !(await isStillDamaged(db, row))) return false;
  const [item] = await findItemBytes(db, { after: key - 1, limit: 1 });
  return item?.key === key && Buffer.compare(new Uint8Array(item.content), content) === 0;
}
